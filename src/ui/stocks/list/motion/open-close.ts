/**
 * Shows the way from the list to a stock and back as a view transition: the symbol moves between its row and the stock's title, and a
 * stock that is closed leaves. What is in the picture cannot be pressed meanwhile, so it contains nothing that somebody would press.
 */
import { options } from "preact";
import { readPlace } from "../../../navigation/stocks-place.ts";
import { adoptStyles } from "../../../parts/late-styles.ts";
import { mayMove } from "./may-move.ts";
import motionStyles from "./motion.css";

/** Names of what moves, as `motion.css` has them. */
const SYMBOL = "stock-symbol";

const PANEL = "stock-panel";

/** The stock that the address says is open. */
const placedStock = (): string | undefined => {
  const { dialog, stockId } = readPlace(location.search);
  return dialog === "detail" || dialog === "edit" ? stockId : undefined;
};

const titleSymbol = (): HTMLElement | null => document.querySelector(`.${SYMBOL}`);

const rowSymbol = (id: string): HTMLElement | null => document.querySelector(`[data-id="${CSS.escape(id)}"] .open`);

const isInView = (element: HTMLElement): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

/** The elements that have a name now, and the transition that they were named for. */
const current: { named: HTMLElement[]; transition: ViewTransition | undefined } = { named: [], transition: undefined };

const nameIt = (element: HTMLElement | null | undefined, name: string): void => {
  if (!element) return;
  element.style.viewTransitionName = name;
  current.named.push(element);
};

const forgetNames = (): void => {
  for (const element of current.named.splice(0)) element.style.viewTransitionName = "";
};

/** Calls `flush`, which renders, between the old and the new picture; without pictures if there is nothing to move. */
const moveTo = (id: string, isOpening: boolean, flush: () => void): void => {
  const from = isOpening ? rowSymbol(id) : titleSymbol();
  if (from === null || !isInView(from) || (isOpening && titleSymbol() !== null)) {
    queueMicrotask(flush);
    return;
  }
  const panel = isOpening ? undefined : from.closest("dialog");
  const { classList } = document.documentElement;
  forgetNames();
  nameIt(from, SYMBOL);
  nameIt(panel, PANEL);
  const isModal = panel?.matches(":modal") === true;
  classList.toggle("unveils", isModal);
  // The browser always calls this: at once if the page is hidden, otherwise at most a frame later, before which nothing could be seen.
  const transition = document.startViewTransition(() => {
    forgetNames();
    flush();
    const to = isOpening ? titleSymbol() : rowSymbol(id);
    // Cards that had a stock beside them become a table when they are measured, so a symbol would move to a card that is gone.
    if (to && isInView(to) && (isOpening || isModal || to.closest("table"))) nameIt(to, SYMBOL);
    // The stock, or the code that shows it, is still on its way.
    else if (isOpening) transition.skipTransition();
  });
  current.transition = transition;
  const end = (): void => {
    // The next transition, which ends this one, may be about the same elements.
    if (current.transition !== transition) return;
    forgetNames();
    classList.remove("unveils");
  };
  // Rejected when the next transition skips this one, or when the page is hidden.
  transition.ready.catch(() => undefined);
  transition.finished.then(end, end);
};

/** From now on, animates each render that follows a step from the list to a stock or back, however it was taken. */
export const moveBetweenListAndStock = (): void => {
  if (!("startViewTransition" in document)) return;
  adoptStyles(motionStyles);
  let shown = placedStock();
  // The address changes first, in the same task, so whatever is rendered next shows the new place.
  options.debounceRendering = (flush) => {
    const before = shown;
    shown = placedStock();
    const id = before ?? shown;
    if (id === undefined || (before !== undefined && shown !== undefined) || !mayMove()) queueMicrotask(flush);
    else moveTo(id, before === undefined, flush);
  };
};
