/**
 * Gives the stocks of an import the names that the list has for them: `SAP.DE` is a stock that may be listed as `SAP`, `AAPL` without a
 * market may be the one that is listed on XNAS, and where an ISIN stands for a symbol, the list may have the stock with both.
 */
import { DEFAULT_CURRENCY } from "../../../contract/stocks/currency-codes.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import type { StockDraft } from "../../../contract/stocks/stock-values.ts";
import { isInPence } from "./read/guess-market.ts";
import type { DraftRow, ImportRow } from "./read/import-row.ts";
import { joinStocks, listingKey, stockKey } from "./read/join-stocks.ts";
import type { ImportReading } from "./read/read-import.ts";

/** What the list calls a stock. `currency` is set to the list's if the row's is only guessed, or missing. */
type Listing = { readonly symbol: string; readonly exchange: string | null; readonly currency?: string };

/** What the list calls the stocks of rows, by the index of the row. Empty for our own exports, which are literal (decision 0130). */
export type Renames = Readonly<Record<number, Listing>>;

/**
 * The rows whose stock is in the list under another symbol, with a market that the row leaves open, or in another currency than the
 * guessed one, or the default one of a row without any. `london` is the person's choice for London's symbols, which is not a guess.
 */
export const findRenames = (reading: ImportReading, listed: readonly Stock[], london?: string): Renames => {
  if (reading.kind === "refused" || reading.kind === "json") return {};
  if (reading.kind === "table" && reading.origin === "own") return {};
  const exact = new Map(listed.map((stock) => [listingKey(stock), stock]));
  const byStock = new Map(listed.map((stock) => [stockKey(stock), stock]));
  const bySymbol = Map.groupBy(listed, ({ symbol }) => symbol);
  const byIsin = Map.groupBy(listed, ({ isin }) => isin);
  // If the file also has the stock by its symbol, it is left to that line: otherwise this line would count as a duplicate, and be lost.
  const inFile = new Set(reading.rows.flatMap((row) => (row.kind === "draft" ? row.draft.symbol : [])));
  const find = (draft: StockDraft): Stock | undefined => {
    const own = exact.get(listingKey(draft));
    if (own !== undefined) return own;
    // With several, nobody knows which one is meant. Another currency means another listing.
    const isSameCurrency = ({ currency }: Stock): boolean => currency === (draft.currency ?? DEFAULT_CURRENCY);
    if (draft.symbol === draft.isin) {
      const listedByIt = onlyOf(bySymbol.get(draft.symbol));
      if (draft.exchange == null && listedByIt !== undefined && isSameCurrency(listedByIt)) return listedByIt;
      // Amounts of a file that names no currency may be in any.
      if (draft.currency === undefined) return undefined;
      const isThere = ({ exchange }: Stock): boolean => draft.exchange == null || exchange === draft.exchange;
      const only = onlyOf(byIsin.get(draft.isin)?.filter((stock) => isSameCurrency(stock) && isThere(stock)));
      return only !== undefined && inFile.has(only.symbol) ? undefined : only;
    }
    if (draft.exchange != null) return byStock.get(stockKey(draft));
    const only = onlyOf(bySymbol.get(draft.symbol));
    return only !== undefined && isSameCurrency(only) ? only : undefined;
  };
  const named = reading.kind === "table" ? reading.currency : undefined;
  const isGuessed = ({ draft: { currency }, guess }: DraftRow): boolean =>
    currency === undefined || (currency === guess?.currency && currency !== named && (!isInPence(guess) || !london));
  return Object.fromEntries(
    reading.rows.flatMap((row, index) => {
      const found = row.kind === "draft" ? find(row.draft) : undefined;
      if (row.kind !== "draft" || found === undefined) return [];
      const { symbol, exchange, currency } = found;
      const isKept = isGuessed(row) && (row.draft.currency ?? DEFAULT_CURRENCY) !== currency;
      if (!isKept && listingKey(found) === listingKey(row.draft)) return [];
      return [[index, { symbol, exchange, ...(isKept ? { currency } : {}) }]];
    }),
  );
};

const onlyOf = (stocks: readonly Stock[] = []): Stock | undefined => (stocks.length === 1 ? stocks[0] : undefined);

/** The same reading with the list's names. The notes of a row say what was changed. Rows that turn out to be of one stock are joined. */
export const applyRenames = <R extends Exclude<ImportReading, { kind: "refused" }>>(
  reading: R,
  renames: Renames,
): R => {
  const rows = reading.rows.map((row, index): ImportRow => {
    const listing = renames[index];
    if (row.kind !== "draft" || listing === undefined) return row;
    return { ...row, draft: { ...row.draft, ...listing }, notes: [...row.notes, ...notesOf(row.draft, listing)] };
  });
  return { ...reading, rows: reading.kind === "json" ? rows : joinStocks(rows, reading.lots, listingKey) };
};

const notesOf = (draft: StockDraft, { symbol, exchange, currency }: Listing): readonly string[] => [
  ...(draft.symbol === symbol ? [] : [`${draft.symbol} is ${symbol} in your list.`]),
  ...(draft.exchange == null && exchange !== null ? [`Matched to the one on ${exchange}.`] : []),
  ...(currency === undefined ? [] : [`Kept in ${currency}, as in your list.`]),
];
