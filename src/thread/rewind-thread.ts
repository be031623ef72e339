/**
 * Goes back in a thread to before one of its runs. It takes a place in the thread's queue like a run, so that a turn posted at the same
 * moment either comes first, and the thread is busy, or starts from where the thread has gone back to.
 */
import { AppError } from "../contract/app-error.ts";
import { type HarnessSessionId, type OwnerEmail, RunId, type ThreadId } from "../contract/ids.ts";
import { isTerminal } from "../contract/run.ts";
import { listRunsAround, listThreadSessions, markReplaced, type ThreadRun } from "../db/branches/run-marks.ts";
import { type Db, openDb } from "../db/db.ts";
import { MAX_OPEN_PER_THREAD } from "../db/start/insert-run.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { reservationId } from "../session/session-wire.ts";
import { trueStatuses } from "./true-statuses.ts";

/** How long the place is held at most, in ms: more than two calls to D1 and one to the session take, each with its limit. */
const HELD_MS = 120_000;

/** The 409 for a thread with a run that is not over. */
export const threadIsBusy = (): AppError => new AppError(409, "The thread is busy.");

/**
 * Replaces that run and all after it, from now on: they can be read but are no longer sent. Repeating it is harmless. `limit` is called
 * once the request is known to be valid, and may refuse.
 *
 * @throws {AppError} 404 when the owner has no such thread, or the thread no such run; 409 while one of its runs is not over; 503 when an
 * object cannot be reached.
 */
export const rewindThread = async (
  env: Env,
  owner: OwnerEmail,
  threadId: ThreadId,
  beforeRunId: string,
  limit: () => Promise<void>,
): Promise<void> => {
  const db = openDb(env.DB);
  const { queueSessionId, runId } = await findBranchable(db, owner, threadId, beforeRunId);
  const session = () => env.SESSIONS.getByName(queueSessionId);
  const holder = reservationId(Date.now() + HELD_MS, crypto.randomUUID());
  const place = await reach(async () => await session().reserve(holder));
  // The session was never used: nothing was ever said in the thread.
  if (place === undefined) return await markReplaced(db, await rewindOf(env, db, owner, threadId, runId, limit));
  if (place === "busy" || place.grant === undefined) throw threadIsBusy();
  const { grant } = place;
  try {
    const rewind = await rewindOf(env, db, owner, threadId, runId, limit);
    if (rewind.runIds.length > 0 && !(await reach(async () => await session().rewind(holder, grant, rewind))))
      throw threadIsBusy();
  } finally {
    await reach(async () => await session().release(holder));
  }
};

/** The sessions of a thread, the first of which has its queue; its runs; and the run that was named. @throws {AppError} 404. */
export const findBranchable = async (db: Db, owner: OwnerEmail, threadId: ThreadId, beforeRunId: string) => {
  const sessions = await listThreadSessions(db, owner, threadId);
  if (sessions === undefined) throw new AppError(404, "Thread not found.");
  const { data: runId } = RunId.safeParse(beforeRunId);
  const runs = runId === undefined ? [] : await listRunsAround(db, owner, threadId, runId);
  const [first] = sessions;
  if (runId === undefined || runs.length === 0 || first === undefined) throw new AppError(404, "Run not found.");
  return { queueSessionId: first.sessionId, sessions, runs, runId };
};

/** @throws {AppError} 409 when one of these runs is not over, whatever D1's copy says. */
export const assertOver = async (env: Env, db: Db, runs: readonly ThreadRun[]): Promise<void> => {
  const statuses = await trueStatuses(env, db, runs, Date.now());
  if (![...statuses.values()].every(({ status }) => isTerminal(status))) throw threadIsBusy();
};

/**
 * Has the runs of a queue hand over what was said in them. They are over, but may have died before they handed over. @throws {AppError} 409
 * when one of them cannot.
 */
export const handOverAll = async (env: Env, queueSessionId: HarnessSessionId): Promise<void> => {
  const session = () => env.SESSIONS.getByName(queueSessionId);
  const holder = reservationId(Date.now() + HELD_MS, crypto.randomUUID());
  // Each try has the run at the head hand over.
  for (let tries = 0; tries < MAX_OPEN_PER_THREAD; tries += 1) {
    const place = await reach(async () => await session().reserve(holder));
    if (place === "busy") continue;
    if (place !== undefined) await reach(async () => await session().release(holder));
    return;
  }
  throw threadIsBusy();
};

/**
 * The runs to replace, except those D1 already marks as replaced: D1 is updated after the session, so it may lag. Read while the place is
 * held: a turn that is posted later is not among them.
 */
const rewindOf = async (
  env: Env,
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  beforeRunId: RunId,
  limit: () => Promise<void>,
) => {
  const runs = await listRunsAround(db, owner, threadId, beforeRunId);
  await assertOver(env, db, runs);
  await limit();
  const fresh = runs.filter(({ isBefore, isReplaced }) => !isBefore && !isReplaced);
  return { ownerEmail: owner, threadId, runIds: fresh.map(({ runId }) => runId) };
};
