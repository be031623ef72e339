/**
 * The tables of one run, in its object's own SQLite. Only `start` creates them, so an object that nobody started stores
 * nothing. Tables and rows are kept few: written rows are the largest cost of a run (decision 0002).
 */
import { type Migrations, versionView } from "../../objects/object-schema.ts";
import type { Tables } from "../../objects/object-tables.ts";

/** What the turn remembers about its own requests, as JSON. */
const TURN_STATE_TABLE = `
CREATE TABLE IF NOT EXISTS turn_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  body TEXT NOT NULL
) STRICT;
`;

/** Version 2 adds the table `turn_state`: how the turn was sent. */
export const RUN_MIGRATIONS: Migrations = [TURN_STATE_TABLE];

/** The tables of a new run; each other table is created when its first row is written. */
export const RUN_SCHEMA = `
CREATE TABLE IF NOT EXISTS run (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  owner_email TEXT NOT NULL,
  spec TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts TEXT NOT NULL,
  purged_at_ms INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS transcript (
  last_seq INTEGER PRIMARY KEY,
  frames BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS message (
  step INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL,
  start_seq INTEGER NOT NULL,
  content TEXT,
  stop_reason TEXT,
  usage TEXT,
  running_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
${TURN_STATE_TABLE}
${versionView(RUN_MIGRATIONS)}
`;

/** The same tables by name. */
export const FIRST_RUN_TABLES: Tables = {
  names: ["run", "transcript", "message", "turn_state", "schema_version"],
  schema: RUN_SCHEMA,
};

/** For a run whose model calls a tool, or that asks somebody. */
export const CALL_TABLES: Tables = {
  names: ["tool_call", "permission_request"],
  schema: `
CREATE TABLE IF NOT EXISTS tool_call (
  tool_call_id TEXT PRIMARY KEY,
  step INTEGER NOT NULL,
  position INTEGER NOT NULL,
  call TEXT NOT NULL,
  state TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  is_ended INTEGER NOT NULL DEFAULT 0,
  running_ms INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS permission_request (
  request_id TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  rule TEXT,
  reply TEXT
) STRICT, WITHOUT ROWID;
`,
};

/** For a run that has something to tell others: at the latest, its end. */
export const OUTBOX_TABLES: Tables = {
  names: ["outbox"],
  schema: `
CREATE TABLE IF NOT EXISTS outbox (
  receiver TEXT PRIMARY KEY,
  payload TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
};
