/** The tables of one person's search, in its object's own SQLite. */
import { type Migrations, versionView } from "../objects/object-schema.ts";
import type { Tables } from "../objects/object-tables.ts";

/** There is one version so far. */
export const SEARCH_MIGRATIONS: Migrations = [];

/**
 * `turn_text` has the words of `turn`'s rows, under the same ids; `gone`: threads that were deleted, and when. With `secure-delete`
 * nothing of a deleted text stays in the index.
 */
export const SEARCH_TABLES: Tables = {
  names: ["turn", "turn_text", "gone", "schema_version"],
  schema: `
CREATE TABLE IF NOT EXISTS turn (
  id INTEGER PRIMARY KEY,
  thread_id TEXT NOT NULL,
  run_id TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX IF NOT EXISTS turn_thread ON turn (thread_id);
CREATE VIRTUAL TABLE IF NOT EXISTS turn_text USING fts5 (
  prompt, answer, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO turn_text (turn_text, rank) VALUES ('secure-delete', 1);
CREATE TABLE IF NOT EXISTS gone (
  thread_id TEXT PRIMARY KEY,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
${versionView(SEARCH_MIGRATIONS)}
`,
};

/** Turns that a branch inherited before they had come in. Few people have any. */
export const AWAITED_TABLES: Tables = {
  names: ["awaited"],
  schema: `
CREATE TABLE IF NOT EXISTS awaited (
  run_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  PRIMARY KEY (run_id, thread_id)
) STRICT, WITHOUT ROWID;
`,
};
