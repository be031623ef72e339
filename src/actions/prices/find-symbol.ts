/** `find-symbol`: the person's own stocks first, then what the price source knows. */
import { AppError } from "../../contract/app-error.ts";
import type { StockId } from "../../contract/ids.ts";
import {
  FindSymbolInput,
  FindSymbolOutput,
  RefreshQuotesInput,
  RefreshQuotesOutput,
  type SymbolMatch,
} from "../../contract/prices/find-symbol.ts";
import { CURRENCY_CODES } from "../../contract/stocks/currency-codes.ts";
import { ExchangeCode, Isin } from "../../contract/stocks/instrument.ts";
import { isSymbol } from "../../contract/stocks/symbol-shape.ts";
import { findMatches } from "../../db/find-stocks.ts";
import { listStockPage } from "../../db/stock-list.ts";
import type { StockRow } from "../../db/stock-tables.ts";
import { defineAction } from "../define-action.ts";

export const findSymbol = defineAction<FindSymbolInput, FindSymbolOutput>({
  name: "find-symbol",
  kind: "read",
  isPostOnly: true,
  description:
    "Finds listings by name, symbol or ISIN: the person's own stocks first, then those that the price source knows. Use it " +
    "before add-stock, and take symbol, exchange, currency, name and ISIN from the match the person means. When several " +
    "fit, ask which. unavailable says why the source gave no answer; adding a stock never needs one. " +
    "No match and no unavailable may also mean that no price source is set up.",
  input: FindSymbolInput,
  output: FindSymbolOutput,
  run: async ({ db, caller, prices }, { q, limit }) => {
    const own = await listStockPage(db, caller.ownerEmail, {
      ...{ filter: { q }, sort: "symbol", order: "asc", after: undefined, limit },
    });
    const mine = own.stocks.map(matchOf);
    const found = await prices.search(q);
    if (found === undefined) return { matches: mine };
    if ("refused" in found) return { matches: mine, unavailable: found.refused };
    const addable = found.matches.filter(isAddable);
    const symbols = [...new Set(addable.map(({ listed }) => listed))];
    const live = symbols.length === 0 ? [] : await findMatches(db, caller.ownerEmail, symbols);
    const inList = (match: Listing) => live.find((row) => isListing(row, match));
    // Adds the person's own stocks whose names do not contain the words.
    const more = addable.flatMap((match) => inList(match) ?? []).map(matchOf);
    const others = addable
      .filter((match) => inList(match) === undefined)
      .map(
        (match): SymbolMatch => ({
          ...{ symbol: match.listed, exchange: match.mic, name: match.name },
          ...{ assetType: match.assetType, currency: match.currency, isin: Isin.safeParse(match.isin).data ?? null },
          ...{ stockId: null, inPlan: match.inPlan ?? true, source: found.source },
        }),
      );
    const theirs = new Map([...mine, ...more].map((match) => [match.stockId, match]));
    return { matches: [...theirs.values(), ...others].slice(0, limit) };
  },
  title: ({ q }) => `Look for ${q}`,
});

/** What a match says of one of the person's own stocks. */
type Own = Omit<SymbolMatch, "stockId" | "inPlan" | "source"> & { readonly id: StockId };

const matchOf = ({ id, symbol, exchange, name, assetType, currency, isin }: Own): SymbolMatch => ({
  ...{ symbol, exchange, name, assetType, currency, isin, stockId: id, inPlan: true, source: "list" },
});

type Listed = Pick<StockRow, "symbol" | "exchange" | "instrument">;

/** Whether a stock belongs to a listing that was found: it has the listing's market or, if the source names none, is linked to it. */
const isListing = ({ symbol, exchange, instrument }: Listed, match: Listing): boolean =>
  symbol === match.listed && (exchange === match.mic || (match.mic === null && instrument?.symbol === match.symbol));

/** A listing as the source names it, and the symbol that a stock of it has. */
type Listing = {
  readonly symbol: string;
  readonly listed: string;
  readonly mic: string | null;
  readonly currency: string;
};

/** Whether a stock can have what the source says of the listing: a listing that cannot be added is not offered. */
const isAddable = ({ listed, mic, currency }: Listing): boolean =>
  isSymbol(listed) && CURRENCY_CODES.has(currency) && (mic === null || ExchangeCode.safeParse(mic).success);

/** `refresh-quotes`: asks the source now, within the budget of the key. */
export const refreshQuotes = defineAction<RefreshQuotesInput, RefreshQuotesOutput>({
  name: "refresh-quotes",
  kind: "read",
  isPostOnly: true,
  description:
    "Asks for the newest prices of the person's stocks now, once a minute at most. Use it only when they ask for newer prices: " +
    "lists keep prices up to date. refused says why a price did not come; say so, and how old the last one is.",
  input: RefreshQuotesInput,
  output: RefreshQuotesOutput,
  run: async ({ prices, replayKey }, { ids = null }) => {
    const result = await prices.refresh(ids, replayKey ?? crypto.randomUUID());
    if (result === "too_soon") {
      throw new AppError(429, "Too many requests. Try again later.", { "Retry-After": "60" });
    }
    if (result === undefined) return { accepted: [], pending: [], refused: [] };
    return {
      ...{ accepted: [...result.accepted], pending: [...result.pending] },
      refused: result.refused.map(({ symbol, reason, retryAtMs }) => ({ symbol, reason, retryAt: timeOf(retryAtMs) })),
    };
  },
  title: () => "Refresh prices",
});

/** Times beyond the calendar mean never. */
const timeOf = (ms: number | null): string | null =>
  ms === null || ms >= Number.MAX_SAFE_INTEGER ? null : new Date(ms).toISOString();
