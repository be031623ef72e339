/** Deletes a thread with everything in it: runs are stopped and forgotten, the conversation goes with its session. */
import { AppError } from "../contract/app-error.ts";
import type { OwnerEmail, ThreadId } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import { detachThread, removeRuns, removeThread } from "../db/delete-thread.ts";
import type { Env } from "../env.ts";
import { reach } from "../run/reach.ts";

/** Runs purged at the same time. */
const BATCH_SIZE = 20;

/** @throws {AppError} 404 when the owner has no such thread. Asked again after a failure, it goes on where it stopped. */
export const deleteThread = async (env: Env, owner: OwnerEmail, threadId: ThreadId): Promise<void> => {
  const db = openDb(env.DB);
  const doomed = await detachThread(db, owner, threadId);
  if (doomed === undefined) throw new AppError(404, "Thread not found.");
  for (const sessionId of new Set(doomed.map((run) => run.session_id))) {
    await reach(() => env.SESSIONS.getByName(sessionId).purge());
  }
  // Rows go with their objects, batch by batch: a deletion that was cut off has less to do when it is asked for again.
  for (let start = 0; start < doomed.length; start += BATCH_SIZE) {
    const runIds = doomed.slice(start, start + BATCH_SIZE).map((run) => run.run_id);
    await Promise.all(runIds.map((runId) => reach(() => env.RUNS.getByName(runId).purge())));
    await removeRuns(db, owner, runIds);
  }
  await removeThread(db, owner, threadId);
};
