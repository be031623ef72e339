/** What is answered to somebody who asked for prices now. */
import type { RefusalReason } from "../sources/quote-source.ts";
import type { RefreshResult } from "./quotes-rpc.ts";
import type { Outcome } from "./refresh-batch.ts";

/** Reasons that pass by themselves. */
const PASSING: ReadonlySet<RefusalReason> = new Set(["budget", "down"]);

/** Where there was nobody to ask. */
export const NOTHING_ASKED: RefreshResult = { accepted: [], pending: [], refused: [] };

/** The answer. What was wanted and has no outcome is still to come; what passes may be asked for again at `retryAtMs`. */
export const refreshResult = (
  wanted: readonly { readonly id: string }[],
  outcomes: readonly Outcome[],
  retryAtMs: number,
): RefreshResult => {
  const of = (result: "accepted" | "held") => outcomes.filter((one) => one.result === result).map(({ id }) => id);
  const asked = new Set(outcomes.map(({ id }) => id));
  return {
    accepted: of("accepted"),
    pending: [...of("held"), ...wanted.flatMap(({ id }) => (asked.has(id) ? [] : [id]))],
    refused: outcomes.flatMap(({ id, result }) => {
      const reason = typeof result === "string" ? undefined : result.refused;
      return reason === undefined ? [] : [{ id, reason, retryAtMs: PASSING.has(reason) ? retryAtMs : null }];
    }),
  };
};
