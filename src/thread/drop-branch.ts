/** Deletes what was copied for a branch that nothing shows, and that nobody can go on with. */
import { log } from "../contract/log.ts";
import { dropFork, type LostFork, listLostForks, mayDropFork } from "../db/branches/lost-forks.ts";
import { listSessionsOf } from "../db/branches/run-marks.ts";
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { purgeSession } from "../run/host/purge-session.ts";
import { searchOf } from "../search/search-rpc.ts";

/**
 * Deletes the branch, and returns true; false, with nothing deleted, if it has been shown. Its rows in D1 go last, because they are all
 * that is known of it. Repeating it is harmless.
 */
export const dropBranch = async (env: Env, db: Db, { ownerEmail, threadId }: LostFork): Promise<boolean> => {
  if (!(await mayDropFork(db, { ownerEmail, threadId }))) return false;
  const sessions = await listSessionsOf(db, ownerEmail, threadId);
  for (const { sessionId } of sessions) await purgeSession(env, db, sessionId);
  const { stub } = await searchOf(env.SEARCH, ownerEmail);
  while (await reach(async () => await stub.removeThread(threadId, Date.now())));
  await dropFork(db, { ownerEmail, threadId });
  return true;
};

/**
 * Deletes copies of chats that were cut off before anybody could see them, and that nobody can ask for any more. A copy that cannot be
 * deleted holds up no other. Repeating it is harmless.
 */
export const dropLostForks = async (env: Env, db: Db, nowMs: number): Promise<void> => {
  for (const fork of await listLostForks(db, nowMs)) {
    await dropBranch(env, db, fork).catch((error: unknown) =>
      log.error("A copy of a chat was not deleted.", { threadId: fork.threadId, error }),
    );
  }
};
