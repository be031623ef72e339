/** Threads of an owner, and the rows that go when one is deleted. */
import { and, desc, eq, getTableColumns, lt, or, sql } from "drizzle-orm";
import { HarnessSessionId, type OwnerEmail, type ThreadId } from "../contract/ids.ts";
import type { CostUsd } from "../contract/run.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";
import { fromPicoUsd } from "./pico-usd.ts";
import { openRuns, type RunRow } from "./runs.ts";
import { harnessSessions, threads } from "./turn-tables.ts";

/** A thread as D1 knows it. `costUsd` is the sum over its runs of what is known, null when nothing is. */
export type ThreadRow = typeof threads.$inferSelect & { readonly costUsd: CostUsd | null };

/** Where a page of threads begins: behind this one. */
export type ThreadCursor = { readonly updatedAtMs: number; readonly threadId: string };

/** The owner's threads, newest first, and all runs of the owner that D1 takes for live: both of the same moment. */
export const listThreads = async (
  db: Db,
  owner: OwnerEmail,
  page: { readonly after: ThreadCursor | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly ThreadRow[]; readonly open: readonly RunRow[] }> => {
  const statement = db
    .select({ ...getTableColumns(threads), picoUsd: PICO_USD })
    .from(threads)
    .where(and(eq(threads.ownerEmail, owner), page.after && isBehind(page.after)))
    .orderBy(desc(threads.updatedAtMs), desc(threads.threadId))
    .limit(page.limit);
  const [rows, open] = await withTurnTables(db, () => db.batch([statement, openRuns(db, owner)]));
  return { rows: rows.map(({ picoUsd, ...row }) => ({ ...row, costUsd: fromPicoUsd(picoUsd) })), open };
};

const PICO_USD = sql<string | null>`(SELECT CAST(sum(cost_pico_usd) AS TEXT) FROM run_costs
  WHERE owner_email = threads.owner_email AND thread_id = threads.thread_id)`;

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

/** The harness session of a thread: `undefined` for an unknown thread, `sessionId` null while it has none. */
export const findThreadSession = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  harness: string,
): Promise<{ sessionId: HarnessSessionId | null } | undefined> => {
  const row = await db
    .select({ sessionId: harnessSessions.id })
    .from(threads)
    .leftJoin(
      harnessSessions,
      and(
        eq(harnessSessions.ownerEmail, threads.ownerEmail),
        eq(harnessSessions.threadId, threads.threadId),
        eq(harnessSessions.harness, harness),
      ),
    )
    .where(and(eq(threads.ownerEmail, owner), eq(threads.threadId, threadId)))
    .get();
  return row && { sessionId: HarnessSessionId.nullable().parse(row.sessionId) };
};
