/**
 * Deletes a thread: at once or, if that was cut off, by the cron. Each step can be repeated. What is left to do is found by what is left of
 * the sessions that the thread had when its deletion was asked for.
 */
import { AppError } from "../contract/app-error.ts";
import type { OwnerEmail, ThreadId } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import {
  detachThread,
  listRunsSince,
  listThreadDeletions,
  releaseRuns,
  removeRuns,
  removeThread,
  type ThreadDeletion,
} from "../db/branches/delete-thread.ts";
import { type Db, openDb } from "../db/db.ts";
import type { Env } from "../env.ts";
import { purgeBatch } from "../objects/purge-batch.ts";
import { reach } from "../objects/reach.ts";
import { purgeSession } from "../run/host/purge-session.ts";
import { searchOf } from "../search/search-rpc.ts";

/** Runs purged at the same time. */
const BATCH_SIZE = 20;

/** How long a deletion has to itself, in ms, before the cron goes on with it. Two at once do no harm, but do everything twice. */
export const GO_ON_MS = 2 * 60_000;

/** How many deletions the cron goes on with in a minute, and how many of their runs it deletes: all owners share that minute. */
const DELETIONS_A_MINUTE = 50;
const RUNS_A_MINUTE = 2_000;

/** A call that takes words out of the search counts as this many runs: it may last two seconds. */
const RUNS_A_SEARCH_CALL = 100;

/**
 * Deletes a thread with everything in it: its runs are stopped and deleted, its conversation is deleted with its session. Runs that a
 * branch of the thread lists stay until that branch is deleted.
 *
 * @throws {AppError} 404 when the owner has no such thread. After a failure, a repeated request or the cron continues where it stopped.
 */
export const deleteThread = async (env: Env, owner: OwnerEmail, threadId: ThreadId): Promise<void> => {
  const db = openDb(env.DB);
  const deletion = await detachThread(db, owner, threadId, Date.now());
  if (deletion === undefined) throw new AppError(404, "Thread not found.");
  await goOn(env, db, deletion, { left: Number.POSITIVE_INFINITY });
};

/** Goes on with deletions that were cut off, as far as a minute allows. One that fails holds up no other. */
export const continueThreadDeletions = async (env: Env, nowMs: number, most = RUNS_A_MINUTE): Promise<void> => {
  const db = openDb(env.DB);
  const runs = { left: most };
  for (const deletion of await listThreadDeletions(db, nowMs - GO_ON_MS, DELETIONS_A_MINUTE)) {
    await goOn(env, db, deletion, runs).catch((error: unknown) => {
      log.error("A chat was not deleted. It is tried again within a minute.", { threadId: deletion.threadId, error });
    });
    if (runs.left <= 0) return;
  }
};

/** Deletes what is left of the thread, but at most `left` of its runs, and counts `left` down. */
const goOn = async (env: Env, db: Db, deletion: ThreadDeletion, runs: { left: number }): Promise<void> => {
  const { threadId, ownerEmail, sessionIds, requestedAtMs } = deletion;
  for (const sessionId of sessionIds) await purgeSession(env, db, sessionId);
  const all = await releaseRuns(db, deletion);
  const doomed = all.slice(0, runs.left);
  runs.left -= doomed.length;
  await purgeRuns(env, db, ownerEmail, doomed);
  if (doomed.length < all.length) return;
  const { stub } = await searchOf(env.SEARCH, ownerEmail);
  for (let isMore = true; isMore; runs.left -= RUNS_A_SEARCH_CALL) {
    if (runs.left <= 0) return;
    // Asked each time: the chat may have been begun again between two calls.
    const since = await listRunsSince(db, deletion);
    isMore = await reach(async () => await stub.removeThread(threadId, requestedAtMs, since));
  }
  await removeThread(db, deletion);
};

/**
 * Deletes runs, their objects and their rows, batch by batch, so that a deletion that was interrupted has less to do when it is repeated. A
 * run that fails holds up no other. @throws the first failure, once all were tried.
 */
const purgeRuns = async (env: Env, db: Db, owner: OwnerEmail, runIds: readonly string[]): Promise<void> => {
  const failures: unknown[] = [];
  for (let start = 0; start < runIds.length; start += BATCH_SIZE) {
    const batch = runIds.slice(start, start + BATCH_SIZE);
    await purgeBatch(
      batch,
      (runId) => reach(() => env.RUNS.getByName(runId).purge()),
      (purged) => removeRuns(db, owner, purged),
    ).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
};
