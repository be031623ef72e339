/** What sets runs apart in a thread's list, and the runs that going back in a thread concerns. */
import { asc, getTableColumns, sql } from "drizzle-orm";
import type { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { isReplacedIn, listedRuns, type RunRow } from "../runs.ts";
import { runs } from "../turn-tables.ts";

/** Runs of one thread that were replaced. */
export type ReplacedRuns = {
  readonly ownerEmail: OwnerEmail;
  readonly threadId: ThreadId;
  readonly runIds: readonly string[];
};

/** Marks them; repeating it is harmless. A thread that was deleted meanwhile gets no marks. */
export const markReplaced = async (db: Db, { ownerEmail, threadId, runIds }: ReplacedRuns): Promise<void> => {
  const { $client: d1 } = db;
  await withTurnTables(db, () =>
    d1
      .prepare(
        `INSERT INTO run_marks (id, owner_email, thread_id, run_id, is_replaced)
         SELECT value || ':' || ?2, ?1, ?2, value, 1 FROM json_each(?3)
         WHERE EXISTS (SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2)
         ON CONFLICT (id) DO UPDATE SET is_replaced = 1 WHERE is_replaced = 0`,
      )
      .bind(ownerEmail, threadId, JSON.stringify(runIds))
      .run(),
  );
};

/**
 * A run of a thread, as going back sees it. `isBefore`: it comes before the one that was named. `sessionId`: the session of this thread
 * that has its turn.
 */
export type ThreadRun = RunRow & { readonly isBefore: boolean; readonly isReplaced: boolean };

/** All runs of a thread, oldest first, as its list has them. Empty when it has no run of that id. */
export const listRunsAround = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  runId: RunId,
): Promise<ThreadRun[]> => {
  const sessionId = sql<string>`coalesce(inherited_by, session_id)`;
  const rows = await withTurnTables(db, () =>
    db
      .select({ ...getTableColumns(runs), sessionId, isReplaced: isReplacedIn(threadId) })
      .from(listedRuns(owner, threadId))
      .orderBy(asc(runs.createdAtMs), asc(runs.runId)),
  );
  const place = rows.findIndex((row) => row.runId === runId);
  if (place < 0) return [];
  return rows.map((row, nth) => ({ ...row, isBefore: nth < place, isReplaced: row.isReplaced === 1 }));
};

/** A harness session, and its harness. */
export type ThreadSession = { readonly sessionId: HarnessSessionId; readonly harness: string };

/** A thread's harness sessions, the one with its queue first; undefined when the owner has no such thread. */
export const listThreadSessions = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
): Promise<readonly ThreadSession[] | undefined> => {
  const [found, sessions] = await d1.batch<ThreadSession>([
    d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
    d1.prepare(SESSIONS_OF).bind(owner, threadId),
  ]);
  return found === undefined || found.results.length === 0 ? undefined : sessions?.results;
};

/** The same for a branch, even while nothing shows it yet. */
export const listSessionsOf = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
): Promise<readonly ThreadSession[]> =>
  (await d1.prepare(SESSIONS_OF).bind(owner, threadId).all<ThreadSession>()).results;

const SESSIONS_OF = `SELECT id AS sessionId, harness FROM harness_sessions
  WHERE owner_email = ?1 AND thread_id = ?2 ORDER BY rowid`;
