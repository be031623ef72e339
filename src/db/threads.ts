/** Threads of an owner. */
import { and, desc, eq, getTableColumns, lt, or, sql } from "drizzle-orm";
import { HarnessSessionId, type OwnerEmail, type ThreadId } from "../contract/ids.ts";
import type { CostUsd } from "../contract/run.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";
import { fromPicoUsd } from "./pico-usd.ts";
import { openRuns, type RunRow } from "./runs.ts";
import { harnessSessions, NO_THREAD, threads } from "./turn-tables.ts";

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
 * The chat that shows each of these runs: the run's own or, once that is deleted, one that was branched from it. A run that no chat shows
 * is left out.
 */
export const threadsOfRuns = async (
  db: Db,
  owner: OwnerEmail,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, ThreadId>> => {
  const ask = () =>
    db.$client
      .prepare(
        // The ids of marks begin with those of their runs, so their index finds them.
        `SELECT run_id AS runId, coalesce(nullif(thread_id, '${NO_THREAD}'), (SELECT thread_id FROM run_marks
           WHERE id > runs.run_id || ':' AND id < runs.run_id || ';' AND inherited_by IS NOT NULL ORDER BY id LIMIT 1)) AS threadId
         FROM runs WHERE owner_email = ?1 AND run_id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(owner, JSON.stringify(runIds))
      .all<{ runId: string; threadId: ThreadId | null }>();
  const { results } = await withTurnTables(db, ask);
  return new Map(results.flatMap(({ runId, threadId }) => (threadId === null ? [] : [[runId, threadId]])));
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
    // By order of creation and not by time: the clocks of two starts may differ.
    .orderBy(sql`harness_sessions.rowid`)
    .get();
  if (row === undefined) return undefined;
  const { id, harness } = row;
  return { session: id === null || harness === null ? null : { sessionId: HarnessSessionId.parse(id), harness } };
};

/** A harness session and its harness. */
type ThreadSession = { readonly sessionId: HarnessSessionId; readonly harness: string };
