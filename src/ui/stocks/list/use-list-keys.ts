/** The keys of the list (DESIGN §7). Letters can be switched off; arrows, Enter and Delete in a row always work. */
import { useShortcuts } from "../../shell/use-shortcuts.ts";
import type { RowActions } from "./row-actions.ts";
import type { RowFocus } from "./use-row-focus.ts";

/** What a page's worth of rows is for PageUp and PageDown. */
const PAGE_ROWS = 10;

/** Binds the letters to the page; gives what the list binds to itself. */
export const useListKeys = (focus: RowFocus, actions: RowActions): ((event: KeyboardEvent) => void) => {
  const withRow =
    (act: RowActions["open"]): (() => void) =>
    () => {
      const stock = focus.focused();
      if (stock) act(stock);
    };
  useShortcuts({
    j: () => focus.move(1),
    k: () => focus.move(-1),
    e: withRow(actions.edit),
    w: withRow(actions.toggleWatched),
    x: withRow(actions.toggleSelected),
  });
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isInMenu(event.target)) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE_ROWS,
      PageUp: -PAGE_ROWS,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
    const by = moves[event.key];
    const stock = focus.focused();
    if (!stock) return;
    if (by !== undefined) focus.move(by);
    else if (event.key === "Delete") actions.remove(stock);
    else return;
    event.preventDefault();
  };
};

/** An open menu has arrows of its own. */
const isInMenu = (target: EventTarget | null): boolean => target instanceof Element && target.closest(".menu") !== null;
