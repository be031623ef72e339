/** The tables of one harness session, in its object's own SQLite. Made by `enqueue` alone. */
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
`;
