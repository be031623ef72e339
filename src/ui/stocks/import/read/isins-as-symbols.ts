/** Whether the ISINs of a table stand for its symbols (decision 0233). */
import { foldHeader, type ImportField } from "./import-field.ts";
import type { ImportColumn } from "./table-columns.ts";
import { TRADE_NAMES } from "./trades/trade-columns.ts";

const DAY = /^\s*(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{8}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d)/;

const NUMBER = /^\s*[-+−(]?[\d.,'\s]*\d/;

type Rows = readonly (readonly string[])[];

/**
 * Whether ISINs stand for the symbols, which the file does not name. They do not in a list of what was done in words that are not known:
 * its lines would be taken for what is held, or for stocks to watch.
 */
export const isByIsin = (columns: readonly ImportColumn[], rows: Rows, hasTrades: boolean): boolean => {
  const place = (wanted: ImportField): number => columns.findIndex(({ field }) => field === wanted);
  if (place("symbol") >= 0 || place("isin") < 0) return false;
  const cellsAt = (index: number): readonly string[] =>
    rows.map((cells) => (cells[index] ?? "").trim()).filter(Boolean);
  const isins = cellsAt(place("isin"));
  const isRepeated = new Set(isins).size < isins.length;
  if (place("quantity") >= 0) return hasTrades || place("avgCost") >= 0 || !isOfMoves(columns, rows, isRepeated);
  const unread = columns.filter(({ field }) => field === null);
  return !hasTrades && !isRepeated && !unread.some(({ index }) => cellsAt(index).some((cell) => NUMBER.test(cell)));
};

/** What is held is held on one day. */
const isOfMoves = (columns: readonly ImportColumn[], rows: Rows, isRepeated: boolean): boolean => {
  const daysAt = (index: number): ReadonlySet<string> =>
    new Set(rows.flatMap((cells) => DAY.exec(cells[index] ?? "")?.[0].trim() ?? []));
  return columns.some(({ name, index }) => {
    const days = daysAt(index).size;
    return (isRepeated && days > 0) || (days > 1 && TRADE_NAMES[foldHeader(name)] === "snapshotDate");
  });
};
