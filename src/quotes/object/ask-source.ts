/** Asks a source on behalf of a key, and counts what that costs before it is sent. */
import { fetchJson, type ServiceAnswer, type ServiceRequest } from "../fetch-json.ts";
import type { QuoteAccess } from "../find-access.ts";
import type { RefusalReason } from "../sources/quote-source.ts";
import { afterAnswer, type Budget, creditsNow, creditsOfDay, spend } from "./budget.ts";

/** Reasons that are about the key or the source: nothing is known of the listing then. */
const OF_ALL: readonly RefusalReason[] = ["auth", "budget", "down"];

/** Whether a reason is not about a listing. */
export const isOfAll = (reason: RefusalReason): boolean => OF_ALL.includes(reason);

/** Where the budget of a key is kept. */
export type BudgetKeeper = { read(): Budget; write(budget: Budget): void };

/** One key, its source, and its budget. `kept`: credits of the day that are left to others. */
export type Asker = {
  readonly key: QuoteAccess;
  readonly budget: BudgetKeeper;
  readonly nowMs: () => number;
  /** Whether this is the key still: another may have been entered meanwhile, or the account deleted. */
  readonly isCurrent: () => boolean;
  readonly kept?: number;
};

/**
 * Sends a request and reads its answer; `refusalOf` says why the whole of it was refused, if it was. Never throws because of the
 * source: without an answer the reason is `down`, without credits `budget`. What comes for a key that is gone is not read: it says
 * nothing of the next one.
 */
export const askSource = async <Read>(
  { key: { source }, budget, nowMs, isCurrent, kept = 0 }: Asker,
  request: ServiceRequest,
  credits: number,
  read: (answer: ServiceAnswer) => Read,
  refusalOf: (read: Read) => RefusalReason | null,
): Promise<{ readonly read: Read } | { readonly refused: RefusalReason }> => {
  if (!isCurrent()) return { refused: "auth" };
  const leftOfDay = creditsOfDay(budget.read(), source, nowMs());
  if (Math.min(creditsNow(budget.read(), source, nowMs()), leftOfDay - kept) < credits) return { refused: "budget" };
  budget.write(spend(budget.read(), credits, nowMs()));
  const answer = await fetchJson(request).catch(() => undefined);
  if (!isCurrent()) return { refused: "auth" };
  const result = answer === undefined ? undefined : read(answer);
  const refused = result === undefined ? "down" : refusalOf(result);
  budget.write(afterAnswer(budget.read(), refused, source, nowMs()));
  return result === undefined ? { refused: "down" } : { read: result };
};
