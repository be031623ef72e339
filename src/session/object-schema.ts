/**
 * The version of an object's tables. It is a view, since a row of its own would cost each new object another one. An object
 * that an earlier release made is brought up to date when it wakes.
 */

/** Makes what `version` needs in an object of the version before; index 0 brings 1 to 2. */
export type Migrations = readonly string[];

/** The statement that says which version the tables have. */
export const versionView = (migrations: Migrations): string =>
  `CREATE VIEW IF NOT EXISTS schema_version AS SELECT ${migrations.length + 1} AS version;`;

/** Whether the object has its tables, which `table` stands for; they are of the newest version then. */
export const migrateObject = (storage: DurableObjectStorage, table: string, migrations: Migrations): boolean => {
  const { sql } = storage;
  const found = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN (?, 'schema_version')", table);
  const names = new Set([...found].map(({ name }) => name));
  if (!names.has(table)) return false;
  const version = names.has("schema_version")
    ? sql.exec<{ version: number }>("SELECT version FROM schema_version").one().version
    : 1;
  if (version > migrations.length) return true;
  storage.transactionSync(() => {
    for (const migration of migrations.slice(version - 1)) sql.exec(migration);
    sql.exec("DROP VIEW IF EXISTS schema_version");
    sql.exec(versionView(migrations));
  });
  return true;
};
