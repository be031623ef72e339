/**
 * The version of an object's tables. It is a view, since storing it in a row would cost each new object one more row. An object from an
 * earlier release is migrated when it wakes.
 */
import type { ObjectTables } from "./object-tables.ts";

/** Each statement migrates an object from one version to the next; index 0 from 1 to 2. */
export type Migrations = readonly string[];

/** The statement that records the version of the tables. */
export const versionView = (migrations: Migrations): string =>
  `CREATE VIEW IF NOT EXISTS schema_version AS SELECT ${migrations.length + 1} AS version;`;

/** Migrates the object if needed. Returns whether it has its tables, of which `table` is one; they then have the newest version. */
export const migrateObject = (
  storage: DurableObjectStorage,
  tables: ObjectTables,
  table: string,
  migrations: Migrations,
): boolean => {
  const { sql } = storage;
  tables.reset();
  if (!tables.has(table)) return false;
  const version = tables.has("schema_version")
    ? sql.exec<{ version: number }>("SELECT version FROM schema_version").one().version
    : 1;
  if (version > migrations.length) return true;
  storage.transactionSync(() => {
    for (const migration of migrations.slice(version - 1)) sql.exec(migration);
    sql.exec("DROP VIEW IF EXISTS schema_version");
    sql.exec(versionView(migrations));
  });
  tables.reset();
  return true;
};

/** How long the mark is kept: far longer than any request could still be on its way. */
const TOMBSTONE_MS = 24 * 3_600_000;

/** The name of the table that is the mark. */
export const TOMBSTONE = "tombstone";

/** Leaves a mark in a deleted object, so that a call still on its way cannot bring it back to life. The object's alarm removes it. */
export const layTombstone = async (storage: DurableObjectStorage, nowMs: number): Promise<void> => {
  storage.sql.exec("CREATE TABLE IF NOT EXISTS tombstone (laid_at_ms INTEGER NOT NULL) STRICT");
  storage.sql.exec("INSERT INTO tombstone (laid_at_ms) VALUES (?)", nowMs);
  await storage.setAlarm(nowMs + TOMBSTONE_MS);
};

/** Whether this object was deleted. */
const isTombstoned = (sql: SqlStorage): boolean =>
  [...sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'tombstone'")].length > 0;

/** Removes the mark when its time is over; otherwise sets the alarm for then, because one of the object's earlier life may ring first. */
export const clearTombstone = async (storage: DurableObjectStorage, nowMs: number): Promise<void> => {
  if (!isTombstoned(storage.sql)) return;
  const { at } = storage.sql.exec<{ at: number }>("SELECT max(laid_at_ms) AS at FROM tombstone").one();
  if (nowMs - at >= TOMBSTONE_MS) await storage.deleteAll();
  else await storage.setAlarm(at + TOMBSTONE_MS);
};
