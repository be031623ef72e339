/** The tables of one harness session, in its object's own SQLite. Made by `enqueue` alone. */
import { type Migrations, versionView } from "./object-schema.ts";

/** What later requests of an epoch depend on, as JSON. */
const FACTS_TABLE = `
CREATE TABLE IF NOT EXISTS facts (
  epoch INTEGER PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
`;

/** Version 2 remembers how a conversation was sent. */
export const SESSION_MIGRATIONS: Migrations = [FACTS_TABLE];

/**
 * Made when they are first needed, which in most threads is never. `compaction`: `block` stands for all blocks of its epoch up
 * to `up_to_block`. `notice`: an event that the next run tells; `key` makes what caused it happen once. `omitted_turn`: a turn
 * that is not sent, and the line that is sent in its place.
 */
export const RARE_SCHEMA = `
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
`;

/** All tables but the rare ones, for a new session. */
export const SESSION_SCHEMA = `
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
CREATE TABLE IF NOT EXISTS block (
  id INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  model TEXT NOT NULL,
  message INTEGER NOT NULL,
  role TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS rule (
  rule_id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER
) STRICT, WITHOUT ROWID;
${FACTS_TABLE}
${versionView(SESSION_MIGRATIONS)}
`;
