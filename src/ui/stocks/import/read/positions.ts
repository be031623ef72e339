/** Lists of positions: what XTB's columns mean, and which positions are closed. */
import { fieldOfHeader, foldHeader, type ImportField } from "./import-field.ts";
import type { ImportOutcome } from "./import-row.ts";

/** Headers beside the ids of positions. In other files, a volume is a market's, and an open price is a day's. */
const XTB_NAMES: Readonly<Record<string, ImportField>> = { volume: "quantity", openprice: "avgCost" };

/** What headers mean in XTB's files and in no other. */
export const namesByPosition = (names: readonly string[]): Readonly<Record<string, ImportField>> => {
  const folded = names.map(foldHeader);
  const isOfXtb = ["position", ...Object.keys(XTB_NAMES)].every((name) => folded.includes(name));
  return isOfXtb && !names.some((name) => fieldOfHeader(name) === "avgCost") ? XTB_NAMES : {};
};

/** Whether a header that is spelled like a quantity may be a header of ids, as at XTB. */
export const mayBeIds = (header: string): boolean => foldHeader(header) === "position";

type Column = { readonly index: number; readonly name: string; readonly field: ImportField | null };

/** The outcome of a line whose position is closed. */
export const CLOSED: ImportOutcome = { kind: "problem", problem: "This position is closed." };

/** Headers of when or at what rate a position was opened. */
const OPENED = /^open(?:ed)?(?:date|time|rate)$/;

/** These count beside one of `OPENED`. Alone, a close price is what a market closed at. */
const CLOSING = /^close(?:date|time|price|rate)$/;

const BOUGHT = /^date(?:acquired|bought|opened|purchased)$|^(?:purchase|buy|kauf)(?:date|datum)$/;

/** These count beside any header of a purchase. */
const SOLD = /^closeddate$|^date(?:sold|closed)$|^(?:sold|sale|sell)date$|^verkaufs(?:datum|tag)$|^proceedspershare$/;

/** Finds the columns that say when a position was closed, or for how much. Their cells are empty for a position that is open. */
export const findClosed = (columns: readonly Column[]): ((cells: readonly string[]) => boolean) => {
  const has = (test: RegExp): boolean => columns.some(({ name }) => test.test(foldHeader(name)));
  const isOpened = has(OPENED);
  const isBought = isOpened || has(BOUGHT) || columns.some(({ field }) => field === "avgCost");
  const closing = columns.filter(({ name, field }) => {
    const folded = foldHeader(name);
    return field === null && ((isOpened && CLOSING.test(folded)) || (isBought && SOLD.test(folded)));
  });
  return (cells) => closing.some(({ index }) => /[1-9]/.test(cells[index] ?? ""));
};
