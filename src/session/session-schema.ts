/** The tables of one harness session, in its object's own SQLite. `enqueue`, `hold` and `takeForkPart` create them. */
import { type Migrations, versionView } from "../objects/object-schema.ts";
import type { Tables } from "../objects/object-tables.ts";

/** What later requests of an epoch depend on, as JSON. */
const FACTS_TABLE = `
CREATE TABLE IF NOT EXISTS facts (
  epoch INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
`;

/** Version 2 adds the table `facts`: how a conversation was sent. */
export const SESSION_MIGRATIONS: Migrations = [FACTS_TABLE];

/**
 * Created when they are first needed, which in most threads is never. `compaction`: `block` replaces all blocks of its epoch up
 * to `up_to_block`. `notice`: an event that the next run reports (`Report`); `key` makes sure that its cause happens only once.
 * `omitted_turn`: a turn that is not sent, and the line that is sent instead.
 */
export const RARE_TABLES: Tables = {
  names: ["compaction", "notice", "omitted_turn"],
  schema: `
CREATE TABLE IF NOT EXISTS compaction (
  id INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  up_to_block INTEGER NOT NULL,
  block TEXT NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS notice (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  is_told INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS omitted_turn (
  run_id TEXT PRIMARY KEY,
  line TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
};

/** The tables of a new session; each other table is created when its first row is written. */
export const FIRST_SESSION_TABLES: Tables = {
  names: ["session", "queue", "schema_version"],
  schema: `
CREATE TABLE IF NOT EXISTS session (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  session_grant INTEGER NOT NULL,
  is_grant_delivered INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  unreachable_since_ms INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS queue (
  position INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE
) STRICT;
${versionView(SESSION_MIGRATIONS)}
`,
};

/** For a thread in which a turn has ended. */
export const CONVERSATION_TABLES: Tables = {
  names: ["block", "facts"],
  schema: `
CREATE TABLE IF NOT EXISTS block (
  id INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  model TEXT NOT NULL,
  message INTEGER NOT NULL,
  role TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
${FACTS_TABLE}
`,
};

/**
 * For a thread whose person has gone back. `told`: what the lists in D1 have yet to be told, as JSON. `is_fresh`: no turn has been
 * kept since.
 */
export const REWIND_TABLES: Tables = {
  names: ["replaced_turn", "dropped_compaction", "rewind"],
  schema: `
CREATE TABLE IF NOT EXISTS replaced_turn (
  run_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dropped_compaction (
  id INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE IF NOT EXISTS rewind (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  told TEXT,
  is_fresh INTEGER NOT NULL
) STRICT;
`,
};

/** For a harness that keeps its session in a file elsewhere. */
export const FILE_COPY_TABLES: Tables = {
  names: ["file_copy"],
  schema: `
CREATE TABLE IF NOT EXISTS file_copy (
  start INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
`,
};

/** For a thread that has a standing rule. */
export const RULE_TABLES: Tables = {
  names: ["rule"],
  schema: `
CREATE TABLE IF NOT EXISTS rule (
  rule_id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER
) STRICT, WITHOUT ROWID;
`,
};
