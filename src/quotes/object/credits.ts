/** What a key may still ask: credits of the minute and the day, and how long to wait after a refusal. */
import { DAY_MS } from "../../contract/day.ts";
import type { RefusalReason } from "../sources/quote-source.ts";

const MINUTE_MS = 60_000;

/** Waits after an answer that did not come, in ms: doubled each time, up to an hour. */
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 60 * MINUTE_MS;

/** A minute with more credits than this never uses them up: a source that refuses can only mean those of the day. */
const WIDE_MINUTE = 100;

/** What was used, as the object keeps it. Minutes and days are counted from the epoch, days in UTC. */
export type Budget = {
  /** Grows with each key. */
  readonly nth: number;
  readonly minute: number;
  readonly usedOfMinute: number;
  readonly day: number;
  readonly usedOfDay: number;
  /** Nothing is asked before. */
  readonly pausedUntilMs: number;
  /** Failures in a row. */
  readonly failures: number;
  readonly lastError: RefusalReason | null;
};

/** The budget of a key that was never used. */
export const FRESH_BUDGET: Budget = {
  ...{ nth: 0, minute: 0, usedOfMinute: 0, day: 0, usedOfDay: 0, pausedUntilMs: 0, failures: 0, lastError: null },
};

/** What a source lets a key ask. */
export type Allowance = { readonly creditsAMinute: number; readonly creditsADay: number };

const rolled = (budget: Budget, nowMs: number): Budget => {
  const [minute, day] = [Math.floor(nowMs / MINUTE_MS), Math.floor(nowMs / DAY_MS)];
  return {
    ...budget,
    ...(budget.minute === minute ? {} : { minute, usedOfMinute: 0 }),
    ...(budget.day === day ? {} : { day, usedOfDay: 0 }),
  };
};

/** The refusal because of which the source is not asked now; null while there is no such pause. */
export const pausedBy = ({ pausedUntilMs, lastError }: Budget, nowMs: number): RefusalReason | null => {
  if (nowMs >= pausedUntilMs) return null;
  return lastError === "bad" ? "down" : lastError;
};

/** How many credits may be used now. */
export const creditsNow = (budget: Budget, { creditsAMinute, creditsADay }: Allowance, nowMs: number): number => {
  if (nowMs < budget.pausedUntilMs) return 0;
  const { usedOfMinute, usedOfDay } = rolled(budget, nowMs);
  return Math.max(0, Math.min(creditsAMinute - usedOfMinute, creditsADay - usedOfDay));
};

/** How many credits of the day are left. */
export const creditsOfDay = (budget: Budget, { creditsADay }: Allowance, nowMs: number): number =>
  Math.max(0, creditsADay - rolled(budget, nowMs).usedOfDay);

/** When the next credits come: the end of a pause, of the minute, or of the day. */
export const nextCreditsAt = (budget: Budget, allowance: Allowance, nowMs: number): number => {
  if (nowMs < budget.pausedUntilMs) return budget.pausedUntilMs;
  if (creditsOfDay(budget, allowance, nowMs) === 0) return nextDay(nowMs);
  return (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
};

/** Takes credits before the request is sent: a request whose answer never comes has cost them as well. */
export const spend = (budget: Budget, credits: number, nowMs: number): Budget => {
  const now = rolled(budget, nowMs);
  return { ...now, usedOfMinute: now.usedOfMinute + credits, usedOfDay: now.usedOfDay + credits };
};

/**
 * What an answer means for the requests after it. `refused` is why the whole request was refused, null when it was not. The request was
 * sent at `askedMs` and answered at `nowMs`.
 */
export const afterAnswer = (
  budget: Budget,
  refused: RefusalReason | null,
  { creditsAMinute }: Allowance,
  nowMs: number,
  askedMs: number,
): Budget => {
  // Searches do not wait for other requests: one that was on its way when this pause began only says the same again.
  if (refused !== null && refused === budget.lastError && askedMs < budget.pausedUntilMs) return budget;
  switch (refused) {
    case "budget": {
      // The source counts differently than we do: the minute first, and after two such refusals in a row the day.
      const isOfDay = budget.lastError === "budget" || creditsAMinute > WIDE_MINUTE;
      const until = isOfDay ? nextDay(nowMs) : nextMinute(nowMs);
      return { ...budget, failures: budget.failures + 1, lastError: refused, pausedUntilMs: until };
    }
    // A key that is refused stays refused until somebody enters another one.
    case "auth":
      return { ...budget, failures: budget.failures + 1, lastError: refused, pausedUntilMs: Number.MAX_SAFE_INTEGER };
    case "down":
    case "bad": {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** budget.failures, MAX_PAUSE_MS);
      return { ...budget, failures: budget.failures + 1, lastError: refused, pausedUntilMs: nowMs + pauseMs };
    }
    default:
      return { ...budget, failures: 0, lastError: null, pausedUntilMs: 0 };
  }
};

const nextMinute = (nowMs: number): number => (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;

/** When the next day's credits come, at midnight UTC. */
export const nextDay = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
