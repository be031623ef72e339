/** What sets runs apart in a thread's list, and the runs that going back in a thread concerns. */
import type { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import type { RunRow } from "../runs.ts";

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

type Row = {
  run_id: string;
  owner_email: string;
  org_id: string | null;
  thread_id: string;
  held_by: string;
  status: string;
  created_at_ms: number;
  finished_at_ms: number | null;
  is_before: number;
  is_replaced: number | null;
};

/** All runs of a thread, oldest first, as its list has them. Empty when it has no run of that id. */
export const listRunsAround = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  runId: RunId,
): Promise<ThreadRun[]> => {
  const { $client: d1 } = db;
  const { results } = await withTurnTables(db, () =>
    d1
      .prepare(
        `WITH listed AS (
           SELECT * FROM runs WHERE owner_email = ?1 AND (thread_id = ?2 OR run_id IN (
             SELECT run_id FROM run_marks WHERE owner_email = ?1 AND thread_id = ?2 AND inherited_by IS NOT NULL)))
         SELECT listed.*, coalesce(mark.inherited_by, listed.session_id) AS held_by, mark.is_replaced,
           (listed.created_at_ms, listed.run_id) < (named.created_at_ms, named.run_id) AS is_before
         FROM listed JOIN listed AS named ON named.run_id = ?3
         LEFT JOIN run_marks AS mark ON mark.id = listed.run_id || ':' || ?2
         ORDER BY listed.created_at_ms, listed.run_id`,
      )
      .bind(owner, threadId, runId)
      .all<Row>(),
  );
  return results.map((row) => ({
    runId: row.run_id,
    ownerEmail: row.owner_email,
    orgId: row.org_id,
    threadId: row.thread_id,
    sessionId: row.held_by,
    status: row.status,
    createdAtMs: row.created_at_ms,
    finishedAtMs: row.finished_at_ms,
    isBefore: row.is_before === 1,
    isReplaced: row.is_replaced === 1,
  }));
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
