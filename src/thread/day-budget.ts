/** The day's hard budgets (api.md §7): once one is used up nothing new starts, and nobody is asked for more. */
import { AppError, unavailable } from "../contract/app-error.ts";
import { dayOf, secondsLeftOf } from "../contract/day.ts";
import { budgetHash } from "../contract/digest.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import type { CostUsd } from "../contract/run.ts";
import { type DayLimits, findDaySpent } from "../db/day-costs.ts";
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { badDayBudget, dayLeft, isUsedUp, readDayBudgets, unreadableDayBudgets } from "../model/budgets.ts";

/**
 * The limits on what an owner starts; undefined when no budget is set. @throws {AppError} 503 for a budget that cannot be
 * parsed: whoever sets a hard limit would rather have no turns than no limit.
 */
export const dayLimitsOf = async (env: Env, owner: OwnerEmail, nowMs: number): Promise<DayLimits | undefined> => {
  const unreadable = unreadableDayBudgets(env);
  if (unreadable.length > 0) {
    const message = `${unreadable.map(badDayBudget).join(" ")} No turn starts until then.`;
    log.error(message);
    throw unavailable();
  }
  const budgets = readDayBudgets(env);
  return budgets && { ...budgets, day: dayOf(nowMs), ownerHash: await budgetHash(owner) };
};

/** What a run may spend: what was left when it started. */
export const leftForRun = (
  limits: DayLimits | undefined,
  spent: { readonly owner: CostUsd; readonly all: CostUsd },
): { dayLeftUsd?: CostUsd } => (limits === undefined ? {} : { dayLeftUsd: dayLeft(limits, spent) });

/** The same, read from the database, for anything that is not the start of a turn. @throws {AppError} 429 when nothing is left. */
export const requireDayLeft = async (
  env: Env,
  db: Db,
  owner: OwnerEmail,
  nowMs: number,
): Promise<{ dayLeftUsd?: CostUsd }> => {
  const limits = await dayLimitsOf(env, owner, nowMs);
  if (limits === undefined) return {};
  const spent = await findDaySpent(db, limits);
  const { ownerUsd, allUsd } = limits;
  const isOver =
    (ownerUsd !== undefined && isUsedUp(ownerUsd, spent.owner)) ||
    (allUsd !== undefined && isUsedUp(allUsd, spent.all));
  if (isOver) throw usedUp(nowMs);
  return leftForRun(limits, spent);
};

/** The refusal, with the seconds until the next day. */
export const usedUp = (nowMs: number): AppError =>
  new AppError(429, "Today's budget is used up.", { "Retry-After": `${secondsLeftOf(nowMs)}` });
