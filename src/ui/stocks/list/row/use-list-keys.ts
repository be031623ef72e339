/** The keys of the list. Letters can be switched off; arrows, Enter and Delete in a row always work. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { useShortcuts } from "../../../parts/use-shortcuts.ts";
import { hasModifier } from "../../../state/key-events.ts";
import { reachedRow } from "../../store/row-state.ts";
import type { RowActions } from "./row-props.ts";

/** `current` is the index of the row that Tab reaches; -1 in an empty list. */
type RowFocus = {
  readonly current: number;
  /** The stock whose row, or something in it, has the focus now. */
  readonly focused: () => Stock | undefined;
  /** Moves the focus by rows; when it is elsewhere, to the current row. */
  readonly move: (by: number) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
};

/** The id of the row around an element. */
const rowIdOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>("[data-id]")?.dataset.id : undefined;

/** The controls of a row. A card has fewer of them, and in another order. */
const CONTROLS = ["input", ".star", ".link", ".more"] as const;

/** The focused control of a row, by its selector. */
type Held = { readonly id: string; readonly control: string };

const linkOf = (list: HTMLElement | null, id: string | undefined): HTMLElement | null | undefined =>
  list?.querySelector<HTMLElement>(`[data-id="${id}"] .open`);

const heldNow = (list: HTMLElement | null): Held | undefined => {
  const { activeElement } = document;
  const id = list?.contains(activeElement) ? rowIdOf(activeElement) : undefined;
  if (id === undefined || !(activeElement instanceof HTMLElement)) return undefined;
  return { id, control: CONTROLS.find((control) => activeElement.matches(control)) ?? ".open" };
};

/**
 * Keeps the list's focus: a single stop for Tab, arrow keys between rows, and never lost when a row disappears. `list` is
 * around all rows. A row is focused by its link.
 */
export const useRowFocus = (list: RefObject<HTMLElement>, stocks: readonly Stock[]): RowFocus => {
  const [place, setPlace] = useState<{ readonly id: string | undefined }>({ id: undefined });
  const lastIndex = useRef(0);
  const wanted = useRef(false);
  const found = stocks.findIndex(({ id }) => id === place.id);
  if (found >= 0) lastIndex.current = found;
  // When the row is gone, the next one takes its place.
  const current = Math.min(lastIndex.current, stocks.length - 1);
  const currentId = stocks[current]?.id;

  // Read before this render: sorting, or a list that turns from a table into cards, may give the row another element.
  const held = heldNow(list.current);
  useLayoutEffect(() => {
    if (held === undefined || document.activeElement !== document.body) return;
    const control = list.current?.querySelector<HTMLElement>(`[data-id="${held.id}"] ${held.control}`);
    (control ?? linkOf(list.current, held.id))?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    const isLost = place.id !== undefined && found < 0 && document.activeElement === document.body;
    if (!isLost && !wanted.current) return;
    wanted.current = false;
    const link = linkOf(list.current, currentId);
    link?.focus({ preventScroll: true });
    link?.closest("[data-id]")?.scrollIntoView({ block: "nearest" });
    reachedRow.set({ id: currentId });
  });

  const focused = (): Stock | undefined => {
    const id = heldNow(list.current)?.id;
    return stocks.find((stock) => stock.id === id);
  };
  const focusRow = (index: number): void => {
    wanted.current = true;
    setPlace({ id: stocks[index]?.id });
  };
  return {
    current,
    focused,
    move: (by) => {
      const start = focused() ? current + by : current;
      focusRow(Math.min(Math.max(start, 0), stocks.length - 1));
    },
    onFocusIn: (event) => {
      const id = rowIdOf(event.target);
      if (id !== place.id && stocks.some((stock) => stock.id === id)) setPlace({ id });
    },
  };
};

/** Rows that PageUp and PageDown move by. */
const PAGE_ROWS = 10;

/** Binds the letters to the page; returns the handler that the list binds to itself. */
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
    if (hasModifier(event) || isInMenu(event.target)) return;
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
    else if (event.key !== "Delete") return;
    // A Delete key that is held down would delete the next row, and the one after that.
    else if (!event.repeat) actions.remove(stock);
    event.preventDefault();
  };
};

/** An open menu handles its own arrow keys. */
const isInMenu = (target: EventTarget | null): boolean => target instanceof Element && target.closest(".menu") !== null;
