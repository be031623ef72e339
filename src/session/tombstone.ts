/** A mark where an object was deleted: a call that was still on its way must not bring it back to life. */

/** How long the mark stays: far longer than any request that could still arrive. */
const TOMBSTONE_MS = 24 * 3_600_000;

/** Leaves the mark in an object that was cleared; its alarm takes it away. */
export const layTombstone = async (storage: DurableObjectStorage, nowMs: number): Promise<void> => {
  storage.sql.exec("CREATE TABLE IF NOT EXISTS tombstone (laid_at_ms INTEGER NOT NULL) STRICT");
  storage.sql.exec("INSERT INTO tombstone (laid_at_ms) VALUES (?)", nowMs);
  await storage.setAlarm(nowMs + TOMBSTONE_MS);
};

/** Whether this object was deleted. */
export const isTombstoned = (sql: SqlStorage): boolean =>
  [...sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'tombstone'")].length > 0;

/** Takes the mark away when its time is over, else rings again then: an alarm of the object's earlier life may come first. */
export const clearTombstone = async (storage: DurableObjectStorage, nowMs: number): Promise<void> => {
  if (!isTombstoned(storage.sql)) return;
  const { at } = storage.sql.exec<{ at: number }>("SELECT max(laid_at_ms) AS at FROM tombstone").one();
  if (nowMs - at >= TOMBSTONE_MS) await storage.deleteAll();
  else await storage.setAlarm(at + TOMBSTONE_MS);
};
