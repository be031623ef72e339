/** Deletes copies of chats that were cut off before anybody could see them, and that nobody can ask for any more. */
import { listLostForks } from "../db/branches/fork-rows.ts";
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { dropBranch } from "../thread/drop-branch.ts";

/** Before the keys of their requests are deleted, which are all that is known of them. Repeating it is harmless. */
export const dropLostForks = async (env: Env, db: Db, nowMs: number): Promise<void> => {
  for (const fork of await listLostForks(db, nowMs)) await dropBranch(env, db, fork);
};
