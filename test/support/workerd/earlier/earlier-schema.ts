/** The objects' tables as the release before versions made them, word for word. Never to be brought up to date. */

/** Of a run. */
export const EARLIER_RUN_SCHEMA = `
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
CREATE TABLE IF NOT EXISTS outbox (
  receiver TEXT PRIMARY KEY,
  payload TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Of a session. */
export const EARLIER_SESSION_SCHEMA = `
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
