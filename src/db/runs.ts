/** Index rows of runs. Each query names the owner or comes from the run itself. */
import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import { type RunStatus, TerminalStatus } from "../contract/run.ts";
import type { Db } from "./db.ts";
import { runs } from "./turn-tables.ts";

/** A run as D1 knows it. `finishedAtMs` is null while D1 takes it for live. */
export type RunRow = typeof runs.$inferSelect;

/** Records a run's end. Always an UPDATE: a row that was deleted meanwhile stays deleted. */
export const markRunEnded = async (db: Db, runId: RunId, status: TerminalStatus, endedAtMs: number): Promise<void> => {
  await db.update(runs).set({ status, finishedAtMs: endedAtMs }).where(eq(runs.runId, runId));
};

/** Takes back an end that D1 only believed in: the run is about to start. */
export const reopenRun = async (db: Db, owner: OwnerEmail, runId: RunId): Promise<void> => {
  await db
    .update(runs)
    .set({ status: "queued", finishedAtMs: null })
    .where(and(eq(runs.ownerEmail, owner), eq(runs.runId, runId)));
};

/** A thread's runs, oldest first, behind the cursor. */
export const listThreadRuns = (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  page: {
    readonly after: { readonly createdAtMs: number; readonly runId: string } | undefined;
    readonly limit: number;
  },
): Promise<RunRow[]> =>
  db
    .select()
    .from(runs)
    .where(and(eq(runs.ownerEmail, owner), eq(runs.threadId, threadId), page.after && isBehind(page.after)))
    .orderBy(asc(runs.createdAtMs), asc(runs.runId))
    .limit(page.limit);

const isBehind = (after: { readonly createdAtMs: number; readonly runId: string }) =>
  or(
    gt(runs.createdAtMs, after.createdAtMs),
    and(eq(runs.createdAtMs, after.createdAtMs), gt(runs.runId, after.runId)),
  );

/** The owner's runs that D1 takes for live, oldest first; of some threads only, when they are given. */
export const listOpenRuns = (db: Db, owner: OwnerEmail, threadIds?: readonly string[]): Promise<RunRow[]> =>
  db
    .select()
    .from(runs)
    .where(
      and(
        eq(runs.ownerEmail, owner),
        isNull(runs.finishedAtMs),
        threadIds && inArray(runs.threadId, sql`(SELECT value FROM json_each(${JSON.stringify(threadIds)}))`),
      ),
    )
    .orderBy(asc(runs.createdAtMs), asc(runs.runId));

/** One of the owner's runs. */
export const findRun = (db: Db, owner: OwnerEmail, runId: string): Promise<RunRow | undefined> =>
  db
    .select()
    .from(runs)
    .where(and(eq(runs.ownerEmail, owner), eq(runs.runId, runId)))
    .get();

/** The status of a row whose copy is a terminal one; a live one's is the object's to say. */
export const endedStatus = (row: RunRow): RunStatus | undefined =>
  row.finishedAtMs === null ? undefined : TerminalStatus.parse(row.status);
