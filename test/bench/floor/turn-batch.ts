/** One D1 batch of the size and kind that a turn start needs, in plain SQL. */

/** The tables, made once per bench. */
export const TABLES = [
  "CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, owner TEXT NOT NULL, thread TEXT NOT NULL, UNIQUE (owner, thread))",
  "CREATE TABLE IF NOT EXISTS threads (owner TEXT, thread TEXT, updated_at INTEGER NOT NULL, PRIMARY KEY (owner, thread))",
  "CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, owner TEXT NOT NULL, thread TEXT NOT NULL, status TEXT NOT NULL)",
  "CREATE INDEX IF NOT EXISTS runs_thread ON runs (owner, thread)",
  "CREATE TABLE IF NOT EXISTS keys (owner TEXT, key TEXT, answer TEXT NOT NULL, PRIMARY KEY (owner, key))",
] as const;

const OWNER = "dev@local.test";

/** Writes one turn's rows and reads the session back. */
export const writeTurn = async (db: D1Database, turn: { runId: string; sessionId: string; thread: string }) => {
  const { runId, sessionId, thread } = turn;
  await db.batch([
    db
      .prepare("INSERT INTO runs SELECT ?1, ?2, ?3, 'queued' WHERE (SELECT count(*) FROM runs WHERE id = ?1) = 0")
      .bind(runId, OWNER, thread),
    db
      .prepare("INSERT INTO threads VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at")
      .bind(OWNER, thread, Date.now()),
    db.prepare("INSERT OR IGNORE INTO sessions VALUES (?1, ?2, ?3)").bind(sessionId, OWNER, thread),
    db.prepare("INSERT INTO keys VALUES (?1, ?2, '{}')").bind(OWNER, runId),
    db.prepare("SELECT id FROM sessions WHERE owner = ?1 AND thread = ?2").bind(OWNER, thread),
  ]);
};
