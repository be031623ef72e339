/** Threads of an owner, and the rows that are deleted with one. */
import { and, desc, eq, getTableColumns, lt, or, sql } from "drizzle-orm";
import { HarnessSessionId, type OwnerEmail, type ThreadId } from "../contract/ids.ts";
import type { CostUsd } from "../contract/run.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";
import { fromPicoUsd } from "./pico-usd.ts";
import { openRuns, type RunRow } from "./runs.ts";
import { harnessSessions, threads } from "./turn-tables.ts";

/** A thread as D1 knows it. `costUsd` is the sum of the known costs of its runs, null when none is known. */
type ThreadRow = typeof threads.$inferSelect & { readonly costUsd: CostUsd | null };

/** Where a page of threads begins: after this one. */
export type ThreadCursor = { readonly updatedAtMs: number; readonly threadId: string };

/** The owner's threads, newest first, and all runs of the owner that D1 considers live, as of the same moment. */
export const listThreads = async (
  db: Db,
  owner: OwnerEmail,
  page: { readonly after: ThreadCursor | undefined; readonly limit: number; readonly among?: readonly string[] },
): Promise<{ readonly rows: readonly ThreadRow[]; readonly open: readonly RunRow[] }> => {
  const statement = db
    .select({ ...getTableColumns(threads), picoUsd: PICO_USD })
    .from(threads)
    .where(and(eq(threads.ownerEmail, owner), page.after && isBehind(page.after), page.among && isAmong(page.among)))
    .orderBy(desc(threads.updatedAtMs), desc(threads.threadId))
    .limit(page.limit);
  const [rows, open] = await withTurnTables(db, () => db.batch([statement, openRuns(db, owner)]));
  return { rows: rows.map(({ picoUsd, ...row }) => ({ ...row, costUsd: fromPicoUsd(picoUsd) })), open };
};

const PICO_USD = sql<string | null>`(SELECT CAST(sum(cost_pico_usd) AS TEXT) FROM run_costs
  WHERE owner_email = threads.owner_email AND thread_id = threads.thread_id)`;

const isAmong = (threadIds: readonly string[]) =>
  sql`${threads.threadId} IN (SELECT value FROM json_each(${JSON.stringify(threadIds)}))`;

const isBehind = (after: ThreadCursor) =>
  or(
    lt(threads.updatedAtMs, after.updatedAtMs),
    and(eq(threads.updatedAtMs, after.updatedAtMs), lt(threads.threadId, after.threadId)),
  );

/** Renames a thread; false when the owner has none by that id. */
export const renameThread = async (db: Db, owner: OwnerEmail, threadId: ThreadId, title: string): Promise<boolean> => {
  const renamed = await db
    .update(threads)
    .set({ title })
    .where(and(eq(threads.ownerEmail, owner), eq(threads.threadId, threadId)))
    .returning({ threadId: threads.threadId });
  return renamed.length > 0;
};

/**
 * The first harness session of a thread, which holds its queue and its rules: `undefined` for an unknown thread, `session` null
 * while it has none.
 */
export const findThreadSession = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
): Promise<{ session: ThreadSession | null } | undefined> => {
  const row = await db
    .select({ id: harnessSessions.id, harness: harnessSessions.harness })
    .from(threads)
    .leftJoin(
      harnessSessions,
      and(eq(harnessSessions.ownerEmail, threads.ownerEmail), eq(harnessSessions.threadId, threads.threadId)),
    )
    .where(and(eq(threads.ownerEmail, owner), eq(threads.threadId, threadId)))
    // In the order of their creation: clocks of two starts may differ.
    .orderBy(sql`harness_sessions.rowid`)
    .get();
  if (row === undefined) return undefined;
  const { id, harness } = row;
  return { session: id === null || harness === null ? null : { sessionId: HarnessSessionId.parse(id), harness } };
};

/** A harness session, and the harness it is one of. */
type ThreadSession = { readonly sessionId: HarnessSessionId; readonly harness: string };

/**
 * Detaches the thread from its sessions and returns their ids; undefined when the owner has no such thread. This is the first
 * step of a deletion, before its objects are purged: a new turn now gets a new session. The thread's own row is deleted last,
 * so that an interrupted deletion can simply be repeated.
 */
export const detachThread = async (db: Db, owner: OwnerEmail, threadId: ThreadId): Promise<string[] | undefined> => {
  const { $client: d1 } = db;
  const [found, , sessions] = await withTurnTables(db, () =>
    d1.batch<{ id: string }>([
      d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
      d1.prepare("DELETE FROM harness_sessions WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
      d1
        .prepare(
          `SELECT session_id AS id FROM runs WHERE owner_email = ?1 AND thread_id = ?2
           UNION SELECT inherited_by FROM run_marks
             WHERE owner_email = ?1 AND thread_id = ?2 AND inherited_by IS NOT NULL`,
        )
        .bind(owner, threadId),
    ]),
  );
  return found === undefined || found.results.length === 0 ? undefined : sessions?.results.map(({ id }) => id);
};

/** The thread of runs that only branches of a deleted thread still list. No client can choose that id. */
const NO_THREAD = "";

/**
 * Leaves runs that branches of the thread list to them, and returns those of these sessions that nobody lists any more. The sessions have
 * been purged: which they were is not known afterwards. A turn that has started since has a session of its own, and stays.
 */
export const releaseRuns = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  sessionIds: readonly string[],
): Promise<string[]> => {
  const { $client: d1 } = db;
  const isElsewhere = `run_id IN (SELECT run_id FROM run_marks
    WHERE owner_email = ?1 AND thread_id <> ?2 AND inherited_by IS NOT NULL)`;
  const leave = (table: string) =>
    d1
      .prepare(
        `UPDATE ${table} SET thread_id = '${NO_THREAD}' WHERE owner_email = ?1 AND thread_id = ?2 AND ${isElsewhere}`,
      )
      .bind(owner, threadId);
  const [, , doomed] = await withTurnTables(db, () =>
    d1.batch<{ run_id: string }>([
      leave("run_costs"),
      leave("runs"),
      d1
        .prepare(
          `SELECT run_id FROM runs WHERE owner_email = ?1
             AND ((thread_id = ?2 AND session_id IN (SELECT value FROM json_each(?3)))
               OR (thread_id = '${NO_THREAD}' AND NOT ${isElsewhere}))`,
        )
        .bind(owner, threadId, JSON.stringify(sessionIds)),
    ]),
  );
  return doomed?.results.map(({ run_id: runId }) => runId) ?? [];
};

/** Removes purged runs with their costs, and the idempotency keys of their starts and of their agent's calls. */
export const removeRuns = async (db: Db, owner: OwnerEmail, runIds: readonly string[]): Promise<void> => {
  const { $client: d1 } = db;
  const ids = JSON.stringify(runIds);
  const statements = [
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn'
           AND json_extract(response, '$.runId') IN (SELECT value FROM json_each(?2))`,
      )
      .bind(owner, ids),
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'agent'
           AND substr(key, 5, 36) IN (SELECT value FROM json_each(?2))`,
      )
      .bind(owner, ids),
    d1
      .prepare(
        `DELETE FROM run_costs WHERE (owner_email, thread_id, run_id) IN (
           SELECT owner_email, thread_id, run_id FROM runs
           WHERE owner_email = ?1 AND run_id IN (SELECT value FROM json_each(?2)))`,
      )
      .bind(owner, ids),
    ...["undone_runs", "runs"].map((table) =>
      d1
        .prepare(`DELETE FROM ${table} WHERE owner_email = ?1 AND run_id IN (SELECT value FROM json_each(?2))`)
        .bind(owner, ids),
    ),
  ];
  await withTurnTables(db, () => d1.batch(statements));
};

/** Removes the thread unless it has a new run by now. */
export const removeThread = async ({ $client: d1 }: Db, owner: OwnerEmail, threadId: ThreadId): Promise<void> => {
  await d1.batch([
    d1
      .prepare(
        `DELETE FROM threads WHERE owner_email = ?1 AND thread_id = ?2
           AND NOT EXISTS (SELECT 1 FROM runs WHERE owner_email = ?1 AND thread_id = ?2)`,
      )
      .bind(owner, threadId),
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND response ->> '$.threadId' = ?2`,
      )
      .bind(owner, threadId),
    d1
      .prepare(
        `DELETE FROM run_marks WHERE owner_email = ?1 AND thread_id = ?2
           AND NOT EXISTS (SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2)`,
      )
      .bind(owner, threadId),
  ]);
};
