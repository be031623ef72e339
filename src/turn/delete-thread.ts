/** Deletes a thread with everything in it: runs are stopped and forgotten, the conversation goes with its session. */
import { AppError } from "../contract/app-error.ts";
import type { OwnerEmail, ThreadId } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import { detachThread, removeThread } from "../db/delete-thread.ts";
import type { Env } from "../env.ts";
import { reach } from "../run/reach.ts";

/** Objects purged at the same time. */
const BATCH_SIZE = 20;

/** @throws {AppError} 404 when the owner has no such thread. Asked again after a failure, it goes on where it stopped. */
export const deleteThread = async (env: Env, owner: OwnerEmail, threadId: ThreadId): Promise<void> => {
  const db = openDb(env.DB);
  const doomed = await detachThread(db, owner, threadId);
  if (doomed === undefined) throw new AppError(404, "Thread not found.");
  const runIds = doomed.map((run) => run.run_id);
  await inBatches(runIds, (runId) => reach(() => env.RUNS.getByName(runId).purge()));
  // Sessions go behind their runs: a run that is being stopped may still hand over.
  const sessionIds = [...new Set(doomed.map((run) => run.session_id))];
  await inBatches(sessionIds, (sessionId) => reach(() => env.SESSIONS.getByName(sessionId).purge()));
  await removeThread(db, owner, threadId, runIds);
};

const inBatches = async (ids: readonly string[], purge: (id: string) => Promise<void>): Promise<void> => {
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    await Promise.all(ids.slice(start, start + BATCH_SIZE).map(purge));
  }
};
