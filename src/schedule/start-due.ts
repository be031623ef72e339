/**
 * Starts what is due, once a minute: each occurrence once, through the same turn start as a person's prompt. A late occurrence
 * starts once, and occurrences that were missed meanwhile do not start.
 */
import { isAllowedEmail, namesNobody } from "../auth/allowed-emails.ts";
import { AppError } from "../contract/app-error.ts";
import { OwnerEmail } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import { isTerminal } from "../contract/run.ts";
import { nextOccurrence } from "../contract/schedules/next-occurrence.ts";
import { type Db, openDb } from "../db/db.ts";
import { insertNotice } from "../db/notices/outbox.ts";
import { findRun } from "../db/runs.ts";
import { claimDue, type DueSchedule, forgetFirstClaim, moveOn, type Outcome } from "../db/schedules/due-schedules.ts";
import type { Env } from "../env.ts";
import { scheduleNotice } from "../notice/tell.ts";
import { parseSettings } from "../settings.ts";
import { trueStatuses } from "../thread/true-statuses.ts";
import { NotDue, startTurn } from "../turn/start-turn.ts";

/** Occurrences started at the same time, and moved on together. */
const BATCH_SIZE = 20;

/** How often an occurrence is tried while it is refused for a reason that may pass. The tries take about half an hour. */
const MAX_CLAIMS = 6;

/**
 * How long after its first claim an occurrence may still be tried, in ms. Its idempotency key, which keeps a second try from starting a
 * second run, is kept for 24 hours.
 */
const MAX_TRYING_MS = 12 * 3_600_000;

const PREVIOUS_LIVE = "The previous run was still going, so this one was skipped.";
const TOO_LATE = "It could not be started in time.";
const NOT_ALLOWED = "This account may not use the agent here.";

/**
 * Starts every occurrence that is due, oldest first. While schedules or the agent are paused, or the list of who may sign in names nobody,
 * nothing is started, and nothing is lost. `before` is called before each step; a test makes it reject.
 */
export const startDue = async (
  env: Env,
  nowMs: number,
  before: (step: "start" | "move on", scheduleId: string) => Promise<void> = async () => {},
): Promise<void> => {
  const { SCHEDULES_PAUSED, AGENT_PAUSED, AUTH_DISABLED } = parseSettings(env);
  if (SCHEDULES_PAUSED || AGENT_PAUSED || (!AUTH_DISABLED && namesNobody(env))) return;
  const db = openDb(env.DB);
  const due = await claimDue(db, nowMs);
  for (let start = 0; start < due.length; start += BATCH_SIZE) {
    const settled = await Promise.all(due.slice(start, start + BATCH_SIZE).map((one) => settle(one)));
    const notices = settled.flat().flatMap(({ due: failed, outcome }) => failureNotice(db, failed, outcome, nowMs));
    await moveOn(db, settled.flat(), notices, nowMs);
  }

  async function settle(schedule: DueSchedule): Promise<{ readonly due: DueSchedule; readonly outcome: Outcome }[]> {
    try {
      await before("start", schedule.id);
      const outcome = await startOccurrence(env, db, schedule, nowMs);
      await before("move on", schedule.id);
      return outcome === "later" ? [] : [{ due: schedule, outcome }];
    } catch (error) {
      // Its claim runs out, and the same occurrence is tried again under the same key.
      log.warn("A schedule was not started.", { scheduleId: schedule.id, error });
      return [];
    }
  }
};

/** The outcome, or `later` when it is tried again. */
const startOccurrence = async (env: Env, db: Db, due: DueSchedule, nowMs: number): Promise<Outcome | "later"> => {
  const ownerEmail = OwnerEmail.parse(due.owner_email);
  if (!parseSettings(env).AUTH_DISABLED && !isAllowedEmail(env, ownerEmail)) {
    return { nextAtMs: null, runId: null, reason: NOT_ALLOWED, state: "paused" };
  }
  if (nowMs - due.first_claimed_at_ms > MAX_TRYING_MS) return following(due, nowMs, { reason: TOO_LATE });
  if (await isPreviousLive(env, db, ownerEmail, due, nowMs)) {
    return following(due, nowMs, { reason: PREVIOUS_LIVE });
  }
  const occurrence = { scheduleId: due.id, dueAtMs: due.due_at_ms };
  const request = {
    threadId: due.thread_id,
    prompt: due.prompt,
    timeZone: due.time_zone,
    idempotencyKey: `schedule:${due.id}:${due.due_at_ms}`,
    occurrence,
  };
  try {
    const { runId } = await startTurn(env, { ownerEmail, orgId: due.org_id }, request, async () => undefined);
    return following(due, nowMs, { runId });
  } catch (error) {
    // Deleted, paused or started by somebody else in the meantime.
    if (error instanceof NotDue) return "later";
    if (!(error instanceof AppError)) throw error;
    const mayPass = error.status === 429 || error.status === 503;
    if (!mayPass || due.claims >= MAX_CLAIMS) return following(due, nowMs, { reason: error.message });
    // After a 503 the run may have started all the same.
    if (error.status === 429) await forgetFirstClaim(db, due);
    return "later";
  }
};

/**
 * The notice of an occurrence that could not start. None if the previous run is still live: the person has been told of that run, if it
 * waits for them.
 */
const failureNotice = (
  db: Db,
  due: DueSchedule,
  { runId, reason, state }: Outcome,
  nowMs: number,
): D1PreparedStatement[] => {
  if (runId !== null || reason === PREVIOUS_LIVE) return [];
  const schedule = { ownerEmail: OwnerEmail.parse(due.owner_email), threadId: due.thread_id, scheduleId: due.id };
  const what = state === "paused" ? "paused" : "failed";
  return [insertNotice(db, scheduleNotice(schedule, what, { event: String(due.due_at_ms), nowMs }), { nowMs })];
};

/** What follows an occurrence: those that were missed are left out. */
const following = (
  { cron, time_zone: timeZone }: DueSchedule,
  nowMs: number,
  { runId = null, reason = null }: { readonly runId?: string | null; readonly reason?: string | null },
): Outcome => {
  const nextAtMs = cron === null ? undefined : nextOccurrence({ cron, timeZone }, nowMs);
  return { nextAtMs: nextAtMs ?? null, runId, reason, state: nextAtMs === undefined ? "done" : "active" };
};

/** Asks the run itself: D1's copy may be out of date. */
const isPreviousLive = async (
  env: Env,
  db: Db,
  owner: OwnerEmail,
  { last_run_id: runId }: DueSchedule,
  nowMs: number,
): Promise<boolean> => {
  const row = runId === null ? undefined : await findRun(db, owner, runId);
  if (row === undefined || row.finishedAtMs !== null) return false;
  const status = (await trueStatuses(env, db, [row], nowMs)).get(row.runId)?.status;
  return status !== undefined && !isTerminal(status);
};
