/** The markets of trades. A broker names the market where a trade was made, and may sell on one market what it bought on another. */
import Big from "big.js";
import { DEFAULT_CURRENCY } from "../../../../../contract/stocks/currency-codes.ts";
import type { StockDraft } from "../../../../../contract/stocks/stock-values.ts";
import type { TradeLine } from "./trade-line.ts";

const SEVERAL = "Traded on several markets; the exchange is left empty.";

type Trade = { readonly draft: StockDraft; readonly kind: TradeLine["kind"] };

/**
 * The same lines, without the markets of a stock that is a single one although it was traded on several. A line in another currency or
 * with another ISIN is about another listing, or another company.
 */
export const joinMarkets = (lines: readonly TradeLine[]): readonly TradeLine[] => {
  const bySymbol = Map.groupBy(lines.flatMap(tradeOf), ({ draft }) => draft.symbol);
  const joined = new Set([...bySymbol].flatMap(([symbol, trades]) => (isOneStock(trades) ? [symbol] : [])));
  return lines.map((line) => {
    if (line.outcome.kind !== "draft" || !joined.has(line.outcome.draft.symbol)) return line;
    const { exchange: _, ...draft } = line.outcome.draft;
    return { ...line, outcome: { ...line.outcome, draft, notes: [...line.outcome.notes, SEVERAL] } };
  });
};

const tradeOf = ({ outcome, kind }: TradeLine): Trade[] =>
  outcome.kind === "draft" ? [{ draft: outcome.draft, kind }] : [];

/** True if more was sold than bought on a market, or a line may be a split, which concerns all markets. Otherwise listings stay apart. */
const isOneStock = (trades: readonly Trade[]): boolean => {
  const markets = Map.groupBy(trades, ({ draft }) => draft.exchange ?? null);
  const told = trades.filter(({ kind }) => kind !== "unknown").map(({ draft }) => draft.currency ?? DEFAULT_CURRENCY);
  const isins = new Set(trades.flatMap(({ draft }) => draft.isin ?? []));
  if (markets.size < 2 || new Set(told).size > 1 || isins.size > 1) return false;
  return told.length < trades.length || [...markets.values()].some(isOversold);
};

const isOversold = (trades: readonly Trade[]): boolean =>
  trades
    .reduce((sum, { draft, kind }) => sum[kind === "sell" ? "minus" : "plus"](draft.quantity ?? "0"), new Big(0))
    .lt(0);
