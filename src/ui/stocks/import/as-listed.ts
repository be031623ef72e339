/**
 * Gives the stocks of an import the names that the list has for them: `SAP.DE` is a stock that may be listed as `SAP`, and `AAPL` without a
 * market may be the one that is listed on XNAS.
 */
import { DEFAULT_CURRENCY } from "../../../contract/stocks/currency-codes.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import type { StockDraft } from "../../../contract/stocks/stock-values.ts";
import type { ImportRow } from "./read/import-row.ts";
import { joinStocks, listingKey, stockKey } from "./read/join-stocks.ts";
import type { ImportReading } from "./read/read-import.ts";

type Listing = { readonly symbol: string; readonly exchange: string | null };

/** What the list calls the stocks of rows, by the index of the row. Empty for our own exports, which are literal (decision 0130). */
export type Renames = Readonly<Record<number, Listing>>;

/** The rows whose stock is in the list under another symbol or with a market that the row leaves open, and not under its own. */
export const findRenames = (reading: ImportReading, listed: readonly Stock[]): Renames => {
  if (reading.kind === "refused" || reading.kind === "json") return {};
  if (reading.kind === "table" && reading.origin === "own") return {};
  const exact = new Set(listed.map(listingKey));
  const byStock = new Map(listed.map((stock) => [stockKey(stock), stock]));
  const bySymbol = Map.groupBy(listed, ({ symbol }) => symbol);
  const find = (draft: StockDraft): Listing | undefined => {
    if (exact.has(listingKey(draft))) return undefined;
    if (draft.exchange != null) return byStock.get(stockKey(draft));
    // Of several, nobody knows which; and another currency is another listing.
    const [only, ...others] = bySymbol.get(draft.symbol) ?? [];
    return others.length === 0 && only?.currency === (draft.currency ?? DEFAULT_CURRENCY) ? only : undefined;
  };
  return Object.fromEntries(
    reading.rows.flatMap((row, index) => {
      const found = row.kind === "draft" ? find(row.draft) : undefined;
      return found === undefined ? [] : [[index, { symbol: found.symbol, exchange: found.exchange }]];
    }),
  );
};

/** The same reading with these names; each renamed row says so in its notes. Rows that turn out to be of one stock are joined. */
export const applyRenames = <R extends Exclude<ImportReading, { kind: "refused" }>>(
  reading: R,
  renames: Renames,
): R => {
  const rows = reading.rows.map((row, index): ImportRow => {
    const listing = renames[index];
    if (row.kind !== "draft" || listing === undefined) return row;
    const { symbol, exchange } = listing;
    const note =
      row.draft.symbol === symbol
        ? `Matched to the one on ${exchange}.`
        : `${row.draft.symbol} is ${symbol} in your list.`;
    return { ...row, draft: { ...row.draft, symbol, exchange }, notes: [...row.notes, note] };
  });
  return { ...reading, rows: reading.kind === "json" ? rows : joinStocks(rows, reading.lots, listingKey) };
};
