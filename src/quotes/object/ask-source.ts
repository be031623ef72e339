/** Asks a source on behalf of a key, and counts what that costs before it is sent. */
import { fetchJson, type ServiceAnswer, type ServiceRequest } from "../fetch-json.ts";
import type { QuoteAccess } from "../find-access.ts";
import type { RefusalReason } from "../sources/quote-source.ts";
import { afterAnswer, type Budget, creditsNow, creditsOfDay, pausedBy, spend } from "./credits.ts";
import type { Limit, Share, TargetsLimit } from "./shares.ts";

/** Reasons that are about the key or the source: nothing is known of the listing then. */
const OF_ALL: readonly RefusalReason[] = ["auth", "budget", "down"];

/** Whether a reason is not about a listing. */
export const isOfAll = (reason: RefusalReason): boolean => OF_ALL.includes(reason);

/** Where the budget of a key is kept. */
export type BudgetKeeper = { read(): Budget; write(budget: Budget): void };

/** Which listings' closes have been asked for lately: a source has no newer ones so soon. `forget` is for closes that were thrown away. */
export type ClosesPace = {
  isDue(instrumentId: string): boolean;
  take(instrumentId: string): void;
  forget(instrumentId: string): void;
};

/** One key, its source, and its budget. */
export type Asker = {
  readonly key: QuoteAccess;
  readonly budget: BudgetKeeper;
  readonly closesPace: ClosesPace;
  readonly nowMs: () => number;
  /** Whether this still is the key: another one may have been entered meanwhile, or the account deleted. */
  readonly isCurrent: () => boolean;
  /** Credits of the day that must be left unused, for others. */
  readonly keptForOthers?: number;
  /**
   * For a key that all people share: what the asker has used today. They have to leave at least as many credits, so that nobody takes
   * more than half of what they find.
   */
  readonly usedByAsker?: Share | undefined;
  /** For such a key, in rounds for targets: their limit, beyond which nothing is asked. */
  readonly limit?: Limit | undefined;
  /** For such a key: the limit of all targets, so that no more is kept for them than they may still use. */
  readonly targetsLimit?: TargetsLimit | undefined;
};

/** Credits of the day that are left: for this asker, and for those to whom it has to leave some. */
export const leftOfDay = ({ key: { source }, budget, nowMs, limit }: Asker): number => {
  const left = creditsOfDay(budget.read(), source, nowMs());
  return limit === undefined ? left : Math.min(left, limit.left(nowMs()));
};

/** Credits of the day that this asker leaves to other people, apart from `keptForOthers`. */
export const leftToOthers = ({ usedByAsker, nowMs }: Pick<Asker, "usedByAsker" | "nowMs">): number =>
  usedByAsker?.used(nowMs()) ?? 0;

/**
 * Sends a request and reads its answer; `refusalOf` says why the whole of it was refused, if it was. Never throws because of the
 * source: without an answer the reason is `down`, without credits `budget`, and in a pause the refusal that caused it. An answer
 * for a replaced key is ignored.
 */
export const askSource = async <Read>(
  asker: Asker,
  request: ServiceRequest,
  credits: number,
  read: (answer: ServiceAnswer) => Read,
  refusalOf: (read: Read) => RefusalReason | null,
): Promise<{ readonly read: Read } | { readonly refused: RefusalReason }> => {
  const { key, budget, nowMs, isCurrent, keptForOthers = 0, usedByAsker, limit } = asker;
  const { source } = key;
  if (!isCurrent()) return { refused: "auth" };
  const usable = leftOfDay(asker) - Math.max(keptForOthers, leftToOthers(asker));
  if (Math.min(creditsNow(budget.read(), source, nowMs()), usable) < credits)
    return { refused: pausedBy(budget.read(), nowMs()) ?? "budget" };
  const askedMs = nowMs();
  budget.write(spend(budget.read(), credits, askedMs));
  usedByAsker?.add(credits, askedMs);
  limit?.add(credits, askedMs);
  const answer = await fetchJson(request).catch(() => undefined);
  if (!isCurrent()) return { refused: "auth" };
  const result = answer === undefined ? undefined : read(answer);
  const refused = result === undefined ? "down" : refusalOf(result);
  budget.write(afterAnswer(budget.read(), refused, source, nowMs(), askedMs));
  return result === undefined ? { refused: "down" } : { read: result };
};
