/** What is answered to somebody who asked for prices now. */
import type { PricedStock } from "../../db/prices/priced-stocks.ts";
import type { RefusalReason } from "../sources/quote-source.ts";
import type { RefreshResult } from "./quotes-rpc.ts";
import type { Outcome } from "./refresh-batch.ts";

/** Reasons that pass by themselves. */
const PASSING: ReadonlySet<RefusalReason> = new Set(["budget", "down"]);

/** The answer where there was no source to ask. */
export const NOTHING_ASKED: RefreshResult = { accepted: [], pending: [], refused: [] };

/**
 * The answer for these stocks. A stock whose listing has no outcome is still to come or, while the key is paused, refused for the reason of
 * the pause (`paused`). So is a stock without a listing, unless it is in `notFound`. What is refused for a reason that passes may be asked
 * for again at `retryAtMs`.
 */
export const refreshResult = (
  stocks: readonly PricedStock[],
  notFound: ReadonlySet<string>,
  outcomes: readonly Outcome[],
  paused: RefusalReason | null,
  retryAtMs: number,
): RefreshResult => {
  const ofListing = new Map(outcomes.map(({ id, result }) => [id, result]));
  const others: Outcome["result"] = paused === null ? "held" : { refused: paused };
  const results = stocks.map(({ id, symbol, instrumentId }) => {
    if (instrumentId !== null) return { symbol, result: ofListing.get(instrumentId) ?? others };
    return { symbol, result: notFound.has(id) ? ({ refused: "unknown" } as const) : others };
  });
  const of = (wanted: "accepted" | "held") =>
    results.flatMap(({ symbol, result }) => (result === wanted ? [symbol] : [])).sort();
  return {
    accepted: of("accepted"),
    pending: of("held"),
    refused: results
      .flatMap(({ symbol, result }) => {
        if (typeof result === "string") return [];
        return [{ symbol, reason: result.refused, retryAtMs: PASSING.has(result.refused) ? retryAtMs : null }];
      })
      .sort((one, other) => (one.symbol < other.symbol ? -1 : 1)),
  };
};
