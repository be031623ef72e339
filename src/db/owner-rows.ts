/** Everything D1 stores for one owner: read in pages for an export, removed when the account is deleted. */
import type { OwnerEmail } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { deleteSome } from "./deletion/delete-some.ts";
import { type AccountDeletion, isOpenDeletion } from "./deletion/open-deletion.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";

/** Rows on a page. A stock with full notes is 20 KB, so a page is far below what an isolate can hold. */
const PAGE_ROWS = 200;

/** A row by column name. */
export type OwnedRow = Readonly<Record<string, string | number | null>>;

/**
 * The tables, and the columns that make a row's key together with the owner. There are none where the owner alone is the key, or where no
 * page of the table is read. Pages of events go along an index: by event id, each page would sort all of the owner's events, of which there
 * may be any number.
 */
const TABLES = {
  stocks: ["id"],
  stock_events: ["stock_id", "version"],
  threads: ["thread_id"],
  runs: ["run_id"],
  run_costs: [],
  run_marks: ["id"],
  undone_runs: ["run_id"],
  thread_deletions: [],
  harness_sessions: ["id"],
  idempotency_keys: [],
  day_changes: [],
  navigation: [],
  schedules: ["id"],
  notices: ["id"],
  push_devices: ["id"],
  notice_settings: [],
  settings: [],
} as const satisfies Record<string, readonly string[]>;

/** Tables that an export contains. */
type OwnedTable =
  | "stocks"
  | "stock_events"
  | "threads"
  | "runs"
  | "run_marks"
  | "undone_runs"
  | "harness_sessions"
  | "schedules"
  | "notices"
  | "push_devices";

/** All rows of one table in key order, without the owner's e-mail. */
export async function* ownedRows(db: Db, owner: OwnerEmail, table: OwnedTable): AsyncGenerator<OwnedRow> {
  let after: Key | undefined = [];
  while (after !== undefined) {
    const page: Page = await ownedPage(db, owner, table, after);
    yield* page.rows;
    after = page.next;
  }
}

/** The key of the last row of a page; empty before the first page. */
type Key = readonly (string | number | null)[];

type Page = { readonly rows: readonly OwnedRow[]; readonly next: Key | undefined };

const ownedPage = async ({ $client: d1 }: Db, owner: OwnerEmail, table: OwnedTable, after: Key): Promise<Page> => {
  const columns: readonly string[] = TABLES[table];
  const key = columns.join(", ");
  const isBehind = after.length === 0 ? "" : `AND (${key}) > (${after.map(() => "?").join(", ")})`;
  const { results } = await d1
    .prepare(`SELECT * FROM ${table} WHERE owner_email = ? ${isBehind} ORDER BY ${key} LIMIT ${PAGE_ROWS}`)
    .bind(owner, ...after)
    .all<Record<string, string | number | null>>();
  const last = results.length === PAGE_ROWS ? results.at(-1) : undefined;
  const rows = results.map(({ owner_email: _, ...row }) => row);
  return { rows, next: last && columns.map((column) => last[column] ?? null) };
};

/**
 * Some harness sessions of an account being deleted, including those of deleted threads that a run, a branch or the thread's deletion still
 * refers to. Once these are forgotten, the next call returns others. In order of creation, as the first session of a thread has its queue.
 */
export const someSessionIds = async (
  { $client: d1 }: Db,
  { ownerEmail, requestedAtMs }: AccountDeletion,
  limit: number,
): Promise<string[]> => {
  const { results } = await d1
    .prepare(
      `SELECT id FROM (
         SELECT id, rowid AS nth FROM harness_sessions WHERE owner_email = ?1
         UNION ALL SELECT session_id, NULL FROM runs WHERE owner_email = ?1 AND session_id <> '${NO_SESSION}'
         UNION ALL SELECT inherited_by, NULL FROM run_marks WHERE owner_email = ?1 AND inherited_by IS NOT NULL
         UNION ALL SELECT session_id, NULL FROM thread_deletions WHERE owner_email = ?1)
       WHERE ${isOpenDeletion("?1", "?3")} GROUP BY id ORDER BY min(nth) NULLS LAST LIMIT ?2`,
    )
    .bind(ownerEmail, limit, requestedAtMs)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
};

/** The session of runs whose session has been purged. No session has that id. */
const NO_SESSION = "";

/** Removes every record of these sessions but their runs, which have objects of their own. */
export const forgetSessions = async (db: Db, owner: OwnerEmail, sessionIds: readonly string[]): Promise<void> => {
  const { $client: d1 } = db;
  const areThese = "IN (SELECT value FROM json_each(?2))";
  const statements = [
    `UPDATE runs SET session_id = '${NO_SESSION}' WHERE owner_email = ?1 AND session_id ${areThese}`,
    `DELETE FROM run_marks WHERE owner_email = ?1 AND inherited_by ${areThese}`,
    `DELETE FROM thread_deletions WHERE owner_email = ?1 AND session_id ${areThese}`,
    `DELETE FROM harness_sessions WHERE owner_email = ?1 AND id ${areThese}`,
  ].map((sql) => d1.prepare(sql).bind(owner, JSON.stringify(sessionIds)));
  await withTurnTables(db, () => d1.batch(statements));
};

/** Some runs of an account being deleted; once these are removed, the next call returns others. */
export const someRunIds = async (
  { $client: d1 }: Db,
  { ownerEmail, requestedAtMs }: AccountDeletion,
  limit: number,
): Promise<string[]> => {
  const { results } = await d1
    .prepare(`SELECT run_id FROM runs WHERE owner_email = ?1 AND ${isOpenDeletion("?1", "?3")} LIMIT ?2`)
    .bind(ownerEmail, limit, requestedAtMs)
    .all<{ run_id: string }>();
  return results.map(({ run_id: runId }) => runId);
};

/** Tables in which an owner may have more rows, or longer ones, than one statement can delete. Events come before their stocks. */
export const LONG_TABLES = ["stock_events", "stocks", "idempotency_keys", "schedules", "notices"] as const;

/** Removes some rows of an account being deleted. True once none is left. */
export const removeSomeRows = async (
  db: Db,
  { ownerEmail, requestedAtMs }: AccountDeletion,
  table: (typeof LONG_TABLES)[number],
): Promise<boolean> => {
  const which = `owner_email = ?1 AND ${isOpenDeletion("?1", "?2")}`;
  const { meta } = await deleteSome(db, table, which, [ownerEmail, requestedAtMs]).run();
  return meta.changes === 0;
};

/**
 * Removes every row of an account being deleted, in one transaction, except for runs, whose rows are removed with their objects. The long
 * tables have been emptied before; here go the rows that a late request has written to them since.
 */
export const removeOwnerRows = async (db: Db, { ownerEmail, requestedAtMs }: AccountDeletion): Promise<void> => {
  const { $client: d1 } = db;
  const tables = Object.keys(TABLES).filter((table) => table !== "runs");
  // Events before their stocks.
  const statements = tables
    .toReversed()
    .map((table) =>
      d1
        .prepare(`DELETE FROM ${table} WHERE owner_email = ?1 AND ${isOpenDeletion("?1", "?2")}`)
        .bind(ownerEmail, requestedAtMs),
    );
  await withTurnTables(db, () => d1.batch(statements));
};
