/** Schedules as the cron sees them, whoever owns them: claimed when due, moved on to their next occurrence, ended. */
import type { Db } from "../db.ts";

/** Most occurrences claimed in one minute, however often the cron fires in it. */
const MAX_A_MINUTE = 300;

const MINUTE_MS = 60_000;

/** How long an occurrence's first claim lasts, in ms; it doubles with each further claim, up to 64 times. Then it can be claimed again. */
const FIRST_CLAIM_MS = MINUTE_MS;

/** An occurrence that is due. */
export type DueSchedule = {
  readonly id: string;
  readonly owner_email: string;
  /** The organization that the run belongs to. */
  readonly org_id: string | null;
  readonly thread_id: string;
  readonly prompt: string;
  readonly cron: string | null;
  readonly once: string | null;
  readonly time_zone: string;
  readonly due_at_ms: number;
  /** How often this occurrence was claimed, including this time, and when it was first claimed. */
  readonly claims: number;
  readonly first_claimed_at_ms: number;
  readonly last_run_id: string | null;
};

/** The organization in which a schedule was created; null once its owner has left it, or it was deleted. */
const PRESENT_ORG = `(SELECT organization_id FROM members
  WHERE organization_id = schedules.org_id AND user_id = (SELECT id FROM users WHERE email = schedules.owner_email))`;

/**
 * Claims the schedules that are due and whose owner's account is open, oldest first, in one transaction. Nobody else gets them for at
 * least a minute.
 */
export const claimDue = async ({ $client: d1 }: Db, nowMs: number): Promise<DueSchedule[]> => {
  const minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const { results } = await d1
    .prepare(
      `UPDATE schedules SET claims = claims + 1, claimed_at_ms = ?1,
         first_claimed_at_ms = coalesce(first_claimed_at_ms, ?1), claimed_until_ms = ?1 + ${FIRST_CLAIM_MS} * (1 << min(claims, 6))
       WHERE id IN (
         SELECT id FROM schedules AS due
         WHERE state = 'active' AND due_at_ms <= ?1 AND claimed_until_ms <= ?1
           AND NOT EXISTS (SELECT 1 FROM account_deletions WHERE owner_email = due.owner_email)
         ORDER BY due_at_ms, id
         LIMIT max(0, ${MAX_A_MINUTE} - (SELECT count(*) FROM schedules WHERE claimed_at_ms >= ?2)))
       RETURNING id, owner_email, ${PRESENT_ORG} AS org_id, thread_id, prompt, cron, once, time_zone, due_at_ms, claims,
         first_claimed_at_ms, last_run_id`,
    )
    .bind(nowMs, minute)
    .all<DueSchedule>();
  return results.toSorted((one, other) => one.due_at_ms - other.due_at_ms || (one.id < other.id ? -1 : 1));
};

/**
 * Lets the time within which an occurrence may be tried begin again with its next claim, because nothing of it has started. Does nothing
 * if it was claimed since.
 */
export const forgetFirstClaim = async ({ $client: d1 }: Db, { id, due_at_ms, claims }: DueSchedule): Promise<void> => {
  const sql = "UPDATE schedules SET first_claimed_at_ms = NULL WHERE id = ? AND due_at_ms = ? AND claims = ?";
  await d1.prepare(sql).bind(id, due_at_ms, claims).run();
};

/** What became of an occurrence. `nextAtMs` is null when no other follows. */
export type Outcome = {
  readonly nextAtMs: number | null;
  /** Null when its run was not started. */
  readonly runId: string | null;
  readonly reason: string | null;
  readonly state: "active" | "paused" | "done";
};

/** Moves schedules on, and stores `notices` in the same transaction. Skips those whose occurrence is already over. */
export const moveOn = async (
  { $client: d1 }: Db,
  settled: readonly { readonly due: Pick<DueSchedule, "id" | "due_at_ms">; readonly outcome: Outcome }[],
  notices: readonly D1PreparedStatement[],
  nowMs: number,
): Promise<void> => {
  if (settled.length === 0) return;
  const move = d1.prepare(
    `UPDATE schedules SET due_at_ms = ?3, state = ?4, reason = ?5, last_due_at_ms = ?2, claimed_until_ms = 0, claims = 0,
       first_claimed_at_ms = NULL, last_run_id = coalesce(?6, last_run_id),
       last_started_at_ms = CASE WHEN ?6 IS NULL THEN last_started_at_ms ELSE ?7 END
     WHERE id = ?1 AND due_at_ms = ?2`,
  );
  await d1.batch([
    ...notices,
    ...settled.map(({ due, outcome: { nextAtMs, runId, reason, state } }) =>
      move.bind(due.id, due.due_at_ms, nextAtMs, state, reason, runId, nowMs),
    ),
  ]);
};

/** After this many requests in a row that nobody answered, a schedule is paused. */
const MAX_EXPIRED = 5;

/** Why a schedule was paused. */
const UNANSWERED = `${MAX_EXPIRED} requests in a row were not answered. Start the schedule again to continue.`;

/** What a run of a schedule reports when it ends. */
export type ScheduledEnd = {
  readonly scheduleId: string;
  readonly runId: string;
  /** How many of its permission requests expired after the last one that was answered. */
  readonly expiredInARow: number;
  /** Whether any was answered: then those that expired in earlier runs no longer count. */
  readonly wasAnswered: boolean;
};

/**
 * Counts the requests that nobody answered, pauses the schedule after too many, and returns whether this run paused it. Repeating the
 * report counts nothing twice and returns the same.
 */
export const reportScheduledEnd = async ({ $client: d1 }: Db, end: ScheduledEnd): Promise<boolean> => {
  const { scheduleId, runId, expiredInARow, wasAnswered } = end;
  const count = "CASE WHEN ?4 THEN 0 ELSE expired_in_a_row END + ?3";
  await d1
    .prepare(
      `UPDATE schedules SET reported_run_id = ?2, expired_in_a_row = ${count},
         state = CASE WHEN state = 'active' AND ${count} >= ${MAX_EXPIRED} THEN 'paused' ELSE state END,
         due_at_ms = CASE WHEN state = 'active' AND ${count} >= ${MAX_EXPIRED} THEN NULL ELSE due_at_ms END,
         reason = CASE WHEN state = 'active' AND ${count} >= ${MAX_EXPIRED} THEN ?5 ELSE reason END
       WHERE id = ?1 AND reported_run_id IS NOT ?2`,
    )
    .bind(scheduleId, runId, expiredInARow, wasAnswered ? 1 : 0, UNANSWERED)
    .run();
  const paused = "SELECT 1 FROM schedules WHERE id = ? AND reported_run_id = ? AND state = 'paused' AND reason = ?";
  return (await d1.prepare(paused).bind(scheduleId, runId, UNANSWERED).first()) !== null;
};
