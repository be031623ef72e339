/** Gives the stocks of an import the symbols that the list has for them: `SAP.DE` is a stock that may be listed as `SAP`. */
import type { Stock } from "../../../contract/stocks/stock.ts";
import type { ImportRow } from "./read/import-row.ts";
import { listingKey, stockKey } from "./read/join-stocks.ts";
import type { ImportReading } from "./read/read-import.ts";

/** New symbols by the index of their rows. Empty for our own exports, which are literal (decision 0130). */
export type Renames = Readonly<Record<number, string>>;

/** The rows whose stock is in the list under another symbol, on the same market, and not under its own. */
export const findRenames = (reading: ImportReading, listed: readonly Stock[]): Renames => {
  if (reading.kind === "refused" || reading.kind === "json") return {};
  if (reading.kind === "table" && reading.origin === "own") return {};
  const exact = new Set(listed.map(listingKey));
  const symbols = new Map(listed.map((stock) => [stockKey(stock), stock.symbol]));
  return Object.fromEntries(
    reading.rows.flatMap((row, index) => {
      if (row.kind !== "draft" || exact.has(listingKey(row.draft))) return [];
      const symbol = symbols.get(stockKey(row.draft));
      return symbol === undefined ? [] : [[index, symbol]];
    }),
  );
};

/** Each renamed row says so in its notes. */
export const applyRenames = (rows: readonly ImportRow[], renames: Renames): readonly ImportRow[] =>
  rows.map((row, index) => {
    const symbol = renames[index];
    if (row.kind !== "draft" || symbol === undefined) return row;
    const note = `${row.draft.symbol} is ${symbol} in your list.`;
    return { ...row, draft: { ...row.draft, symbol }, notes: [...row.notes, note] };
  });
