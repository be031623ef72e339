/** Rows slide to their new places instead of jumping, when rows come, go or change places. */
import { readPlace } from "../../../navigation/stocks-place.ts";
import { shownStocks } from "../../store/row-state.ts";
import { MOTION, mayMove } from "./may-move.ts";

/** If more rows than this come or go, it counts as another list, which is shown at once. */
const MOST_CHANGED = 12;

/**
 * Where each row comes from, as a number of rows from its place now; undefined for a new row. Rows that stay are left out. Empty when it
 * is another list.
 */
export const rowMoves = (
  before: readonly string[],
  now: readonly string[],
): ReadonlyMap<string, number | undefined> => {
  if (before.length === 0 || (before.length === now.length && before.every((id, at) => id === now[at]))) {
    return new Map();
  }
  const places = new Map(before.map((id, at) => [id, at]));
  const moves = now.map((id, at) => {
    const place = places.get(id);
    return [id, place === undefined ? undefined : place - at] as const;
  });
  const added = moves.filter(([, by]) => by === undefined).length;
  const removed = before.length - (now.length - added);
  return new Map(added + removed > MOST_CHANGED ? [] : moves.filter(([, by]) => by !== 0));
};

/** What the list is narrowed and sorted by. When any of it changes, rows do not move: they are other rows. */
const viewOf = (): string => {
  const { tab, sort, tags, status, currency, targetHit } = readPlace(location.search);
  const typed = document.querySelector<HTMLInputElement>(".search .input")?.value;
  return JSON.stringify([tab, sort, tags, status, currency, targetHit, typed]);
};

/** Starts each row in view where it was. */
const play = (list: HTMLElement, moves: ReadonlyMap<string, number | undefined>, lost: number, rowPx: number): void => {
  for (const row of list.querySelectorAll<HTMLElement>("[data-id]")) {
    const id = row.dataset.id ?? "";
    const { top } = row.getBoundingClientRect();
    if (!moves.has(id) || top > innerHeight || top < -rowPx) continue;
    const by = moves.get(id);
    // Starting just outside the window is far enough.
    const from = Math.min(Math.max((by ?? 0) * rowPx, -innerHeight), innerHeight);
    row.animate(by === undefined ? { opacity: [0, 1] } : { transform: [`translateY(${from}px)`, "none"] }, MOTION);
  }
  // What is below the list moves up together with its last row.
  if (lost > 0) list.animate({ paddingBlockEnd: [`${lost * rowPx}px`, "0"] }, MOTION);
};

/** Follows the list from now on. Its store changes when the rows are on the page, and before they are painted. */
export const moveRows = (): void => {
  let view = viewOf();
  let ids: readonly string[] = shownStocks.get().map(({ id }) => id);
  shownStocks.subscribe(() => {
    const before = { view, ids };
    view = viewOf();
    ids = shownStocks.get().map(({ id }) => id);
    const list = document.querySelector<HTMLElement>(".stock-list");
    if (list === null || view !== before.view || !mayMove()) return;
    const moves = rowMoves(before.ids, ids);
    const rowPx = Number.parseFloat(getComputedStyle(list).getPropertyValue("--row"));
    const first = ids.findIndex((id, at) => id !== before.ids[at]);
    // When rows change above the window, the browser itself keeps what is in view where it was.
    if (list.getBoundingClientRect().top + first * rowPx < -rowPx) return;
    if (moves.size > 0 || ids.length < before.ids.length) play(list, moves, before.ids.length - ids.length, rowPx);
  });
};
