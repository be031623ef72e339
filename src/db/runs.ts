/** Index rows of runs. Each query names the owner or comes from the run itself. */
import { and, asc, desc, eq, getTableColumns, isNull, Subquery, sql } from "drizzle-orm";
import type { OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import { type CostUsd, type RunStatus, TerminalStatus } from "../contract/run.ts";
import { countCost, type DayCost } from "./day-costs.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";
import { fromPicoUsd, toPicoUsd } from "./pico-usd.ts";
import { runs } from "./turn-tables.ts";

/** A run as D1 knows it. `finishedAtMs` is null while D1 considers it live. */
export type RunRow = typeof runs.$inferSelect;

/** How a run ended, as it is stored outside its object. `costUsd` is null when unknown. */
export type RunEnding = {
  readonly status: TerminalStatus;
  readonly endedAtMs: number;
  readonly costUsd: CostUsd | null;
};

/**
 * Records a run's end; repeating it is harmless. A row that was deleted in the meantime stays deleted, and so does its cost. `counted`
 * goes into the day's counters, if a day has a budget.
 */
export const markRunEnded = async (
  db: Db,
  runId: RunId,
  { status, endedAtMs, costUsd }: RunEnding,
  counted?: DayCost,
): Promise<void> => {
  const { $client: d1 } = db;
  const statements = [
    d1.prepare("UPDATE runs SET status = ?2, finished_at_ms = ?3 WHERE run_id = ?1").bind(runId, status, endedAtMs),
    ...(costUsd === null
      ? []
      : [
          d1
            .prepare(
              `INSERT OR IGNORE INTO run_costs (owner_email, thread_id, run_id, cost_pico_usd)
               SELECT owner_email, thread_id, run_id, CAST(?2 AS INTEGER) FROM runs WHERE run_id = ?1`,
            )
            .bind(runId, toPicoUsd(costUsd)),
        ]),
    ...(counted === undefined ? [] : [countCost(db, counted)]),
  ];
  await withTurnTables(db, () => d1.batch(statements));
};

/** Undoes an end that D1 only assumed: the run is about to start. */
export const reopenRun = async (db: Db, owner: OwnerEmail, runId: RunId): Promise<void> => {
  await db
    .update(runs)
    .set({ status: "queued", finishedAtMs: null })
    .where(and(eq(runs.ownerEmail, owner), eq(runs.runId, runId)));
};

/** A run in a thread's list. */
type ListedRun = RunRow & {
  readonly costUsd: CostUsd | null;
  readonly isReplaced: boolean;
  readonly isUndone: boolean;
};

/** A thread's runs with their costs after the cursor, oldest first or `isNewestFirst`. */
export const listThreadRuns = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  page: {
    readonly after: { readonly createdAtMs: number; readonly runId: string } | undefined;
    readonly limit: number;
    readonly isNewestFirst?: boolean;
  },
): Promise<ListedRun[]> => {
  const { after } = page;
  const [order, isBehind] = page.isNewestFirst ? [desc, sql`<`] : [asc, sql`>`];
  const rows = await withTurnTables(db, () =>
    db
      .select({ ...getTableColumns(runs), picoUsd: PICO_USD, isReplaced: isReplacedIn(threadId), isUndone: IS_UNDONE })
      .from(listedRuns(owner, threadId))
      .where(after && sql`(${runs.createdAtMs}, ${runs.runId}) ${isBehind} (${after.createdAtMs}, ${after.runId})`)
      .orderBy(order(runs.createdAtMs), order(runs.runId))
      .limit(page.limit),
  );
  return rows.map(({ picoUsd, isReplaced: mark, isUndone, ...row }) => ({
    ...row,
    costUsd: fromPicoUsd(picoUsd),
    isReplaced: mark === 1,
    isUndone: isUndone === 1,
  }));
};

/**
 * The thread's own runs, and those that it inherited from the chats that it was branched from, each with `inherited_by`. One condition with
 * OR would read all runs of the owner. Without the CAST the two columns differ in type, and each page would read the whole thread.
 */
export const listedRuns = (owner: OwnerEmail, threadId: ThreadId) =>
  new Subquery(
    sql`SELECT *, CAST(NULL AS TEXT) AS inherited_by FROM runs WHERE owner_email = ${owner} AND thread_id = ${threadId}
      UNION ALL SELECT runs.*, inherited_by FROM run_marks AS mark JOIN runs ON runs.run_id = mark.run_id
      WHERE mark.owner_email = ${owner} AND mark.thread_id = ${threadId} AND inherited_by IS NOT NULL`,
    getTableColumns(runs),
    "runs",
  );

/** Whether a listed run was replaced: 1 if it was. */
export const isReplacedIn = (threadId: ThreadId) =>
  sql<number | null>`(SELECT is_replaced FROM run_marks WHERE id = runs.run_id || ':' || ${threadId})`;

const PICO_USD = sql<string | null>`(SELECT CAST(cost_pico_usd AS TEXT) FROM run_costs
  WHERE owner_email = runs.owner_email AND thread_id = runs.thread_id AND run_id = runs.run_id)`;

const IS_UNDONE = sql<number>`EXISTS (SELECT 1 FROM undone_runs WHERE undone_runs.run_id = runs.run_id)`;

/** The owner's runs that D1 considers live, oldest first: at most as many as may be open. */
export const listOpenRuns = async (db: Db, owner: OwnerEmail): Promise<RunRow[]> => await openRuns(db, owner);

/** The same as a statement, for a batch. */
export const openRuns = (db: Db, owner: OwnerEmail) =>
  db
    .select()
    .from(runs)
    .where(and(eq(runs.ownerEmail, owner), isNull(runs.finishedAtMs)))
    .orderBy(asc(runs.createdAtMs), asc(runs.runId));

/** One of the owner's runs. */
export const findRun = (db: Db, owner: OwnerEmail, runId: string): Promise<RunRow | undefined> =>
  db
    .select()
    .from(runs)
    .where(and(eq(runs.ownerEmail, owner), eq(runs.runId, runId)))
    .get();

/** The status of a run that D1 knows has ended; undefined for a live run, whose status only its object knows. */
export const endedStatus = (row: RunRow): RunStatus | undefined =>
  row.finishedAtMs === null ? undefined : TerminalStatus.parse(row.status);
