/** The markets of trades. A broker names the one where a trade was made, and sells on another what it has bought on this one. */
import { DEFAULT_CURRENCY } from "../../../../contract/stocks/currency-codes.ts";
import type { StockDraft } from "../../../../contract/stocks/stock-values.ts";
import type { TradeLine } from "./net-trades.ts";

const SEVERAL = "Traded on several markets; the exchange is left empty.";

/** The same lines, without the markets of stocks that were traded on several in one currency: in another, it is another listing. */
export const joinMarkets = (lines: readonly TradeLine[]): readonly TradeLine[] => {
  const bySymbol = Map.groupBy(lines.flatMap(tradeOf), ({ draft }) => draft.symbol);
  const joined = new Set(
    [...bySymbol].flatMap(([symbol, trades]) => {
      const told = trades
        .filter(({ kind }) => kind !== "unknown")
        .map(({ draft }) => draft.currency ?? DEFAULT_CURRENCY);
      const markets = new Set(trades.map(({ draft }) => draft.exchange ?? null));
      return markets.size > 1 && new Set(told).size < 2 ? [symbol] : [];
    }),
  );
  return lines.map((line) => {
    if (line.outcome.kind !== "draft" || !joined.has(line.outcome.draft.symbol)) return line;
    const { exchange: _, ...draft } = line.outcome.draft;
    return { ...line, outcome: { ...line.outcome, draft, notes: [...line.outcome.notes, SEVERAL] } };
  });
};

const tradeOf = ({ outcome, kind }: TradeLine): { readonly draft: StockDraft; readonly kind: TradeLine["kind"] }[] =>
  outcome.kind === "draft" ? [{ draft: outcome.draft, kind }] : [];
