/** All migrations as one file of SQL, for a database that has none of them yet. */

/** As wrangler makes it, which looks there for what a database has. */
const APPLIED_TABLE = `CREATE TABLE d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);
`;

/** Name and text of each migration, in their order. The names are file names of this project: without quotes in them. */
export const wholeSchema = (migrations: readonly (readonly [name: string, sql: string])[]): string =>
  migrations.reduce(
    (whole, [name, sql]) => `${whole}${sql}\nINSERT INTO d1_migrations (name) VALUES ('${name}');\n`,
    APPLIED_TABLE,
  );
