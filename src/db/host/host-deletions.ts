/** Sessions on a person's own machine that are still to be deleted there: the host may be away for weeks. */
import type { Db } from "../db.ts";

/** Most of them deleted at once. The rest follows a minute later. */
const MAX_AT_ONCE = 200;

/** How soon a host that does not answer is asked again, in ms. */
const PAUSE_MS = 5 * 60_000;

/**
 * How long after its thread a session is deleted once more, in ms: a turn that was just being started may have written its file since.
 * Within seconds of a turn's caller leaving, the host ends the turn.
 */
const SETTLE_MS = 60_000;

/** How long a host may be away, in ms: 90 days. After that nobody expects it back. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Notes sessions, which are due at once. Those that are noted already stay as they are. */
export const noteHostSessions = async (
  { $client: d1 }: Db,
  sessionIds: readonly string[],
  nowMs: number,
): Promise<void> => {
  if (sessionIds.length === 0) return;
  await d1
    .prepare(
      `INSERT OR IGNORE INTO host_deletions (session_id, noted_at_ms, due_at_ms) SELECT value, ?2, ?2 FROM json_each(?1)`,
    )
    .bind(JSON.stringify(sessionIds), nowMs)
    .run();
};

/** Those that are due, oldest first. */
export const dueHostSessions = async ({ $client: d1 }: Db, nowMs: number): Promise<string[]> => {
  const { results } = await d1
    .prepare(`SELECT session_id FROM host_deletions WHERE due_at_ms <= ? ORDER BY noted_at_ms LIMIT ${MAX_AT_ONCE}`)
    .bind(nowMs)
    .all<{ session_id: string }>();
  return results.map(({ session_id: sessionId }) => sessionId);
};

/** Removes the notes of sessions that were deleted. One that was noted only just now is due once more (`SETTLE_MS`). */
export const settleHostSessions = async (
  { $client: d1 }: Db,
  sessionIds: readonly string[],
  nowMs: number,
): Promise<void> => {
  const which = "session_id IN (SELECT value FROM json_each(?1))";
  const ids = JSON.stringify(sessionIds);
  await d1.batch([
    d1.prepare(`DELETE FROM host_deletions WHERE ${which} AND noted_at_ms <= ?2`).bind(ids, nowMs - SETTLE_MS),
    d1.prepare(`UPDATE host_deletions SET due_at_ms = noted_at_ms + ${SETTLE_MS} WHERE ${which}`).bind(ids),
  ]);
};

/** Puts off everything that is due, because the host does not answer, and gives up what has waited for too long. */
export const putOffHostSessions = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1.batch([
    d1.prepare("DELETE FROM host_deletions WHERE noted_at_ms <= ?").bind(nowMs - KEPT_MS),
    d1.prepare("UPDATE host_deletions SET due_at_ms = ?2 WHERE due_at_ms <= ?1").bind(nowMs, nowMs + PAUSE_MS),
  ]);
};
