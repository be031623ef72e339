/** A mark where a run was deleted: a `start` that was still on its way must not bring it back to life. */

/** How long the mark stays: far longer than any request that could still start the run. */
const TOMBSTONE_MS = 24 * 3_600_000;

/** Leaves the mark; the object's alarm clears it. */
export const layTombstone = async (storage: DurableObjectStorage, nowMs: number): Promise<void> => {
  storage.sql.exec("CREATE TABLE IF NOT EXISTS tombstone (id INTEGER PRIMARY KEY) STRICT");
  await storage.setAlarm(nowMs + TOMBSTONE_MS);
};

/** Whether the run of this object was deleted. */
export const isTombstoned = (sql: SqlStorage): boolean =>
  [...sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'tombstone'")].length > 0;
