/** The day's hard budgets (CONTRACT §7): nobody is asked for more, and nothing new starts once one is used up. */
import { AppError } from "../contract/app-error.ts";
import { dayOf, secondsLeftOf } from "../contract/day.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { ownerHash } from "../contract/owner-hash.ts";
import type { CostUsd } from "../contract/run.ts";
import { type DayLimits, findDaySpent } from "../db/day-costs.ts";
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { badDayBudget, dayLeft, isUsedUp, readDayBudgets, unreadableDayBudgets } from "../model/day-budget.ts";

/**
 * What a start of an owner is held to, undefined where no budget is set. @throws {AppError} 503 for one that cannot be read:
 * whoever sets a hard limit would rather have no turns than no limit.
 */
export const dayLimitsOf = async (env: Env, owner: OwnerEmail, nowMs: number): Promise<DayLimits | undefined> => {
  const unreadable = unreadableDayBudgets(env);
  if (unreadable.length > 0) {
    const message = `${unreadable.map(badDayBudget).join(" ")} No turn starts until then.`;
    console.error(JSON.stringify({ level: "error", message }));
    throw new AppError(503, "The agent is unavailable. Try again.");
  }
  const budgets = readDayBudgets(env);
  return budgets && { ...budgets, day: dayOf(nowMs), ownerHash: await ownerHash(owner) };
};

/** What a run may spend: what was left when it was started. */
export const leftForRun = (
  limits: DayLimits | undefined,
  spent: { readonly owner: CostUsd; readonly all: CostUsd },
): { dayLeftUsd?: CostUsd } => (limits === undefined ? {} : { dayLeftUsd: dayLeft(limits, spent) });

/** The same for what is no turn start, from the database. @throws {AppError} 429 when nothing is left. */
export const findLeft = async (
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

/** The refusal, with the seconds to the next day. */
export const usedUp = (nowMs: number): AppError =>
  new AppError(429, "Today's budget is used up.", { "Retry-After": `${secondsLeftOf(nowMs)}` });
