/** The rows that are deleted with a thread, and those that stay because a branch of it lists them. */
import * as z from "zod";
import type { OwnerEmail, ThreadId } from "../../contract/ids.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { Db } from "../db.ts";
import { isMissingTable, withTurnTables } from "../ensure-turn-tables.ts";
import { runEndKey } from "../notices/outbox.ts";
import { TITLE_OF } from "../pico-usd.ts";
import { NO_THREAD } from "../turn-tables.ts";

/**
 * A thread that is being deleted, and the sessions that it had when the deletion was asked for. A chat that was begun under the same id
 * since has other sessions, and stays.
 */
export type ThreadDeletion = {
  readonly ownerEmail: OwnerEmail;
  readonly threadId: ThreadId;
  readonly sessionIds: readonly string[];
  readonly requestedAtMs: number;
};

/**
 * Detaches the thread from its sessions and notes them; undefined when the owner has no such thread. This is the first step of a
 * deletion, before its objects are purged: a new turn now gets a new session. The thread's own row is deleted last, so that an interrupted
 * deletion can simply be repeated; if nobody repeats it, the cron goes on with it.
 */
export const detachThread = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  nowMs: number,
): Promise<ThreadDeletion | undefined> => {
  const { $client: d1 } = db;
  const isThere = "EXISTS (SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2)";
  const [found, , , noted] = await withTurnTables(db, () =>
    d1.batch<{ id: string; at: number }>([
      d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
      d1
        .prepare(
          `INSERT INTO thread_deletions (session_id, owner_email, thread_id, requested_at_ms)
           SELECT id, ?1, ?2, ?3 FROM (
             SELECT id FROM harness_sessions WHERE owner_email = ?1 AND thread_id = ?2
             UNION SELECT session_id FROM runs WHERE owner_email = ?1 AND thread_id = ?2
             UNION SELECT inherited_by FROM run_marks
               WHERE owner_email = ?1 AND thread_id = ?2 AND inherited_by IS NOT NULL)
           WHERE ${isThere} ON CONFLICT DO NOTHING`,
        )
        .bind(owner, threadId, nowMs),
      d1
        .prepare(`DELETE FROM harness_sessions WHERE owner_email = ?1 AND thread_id = ?2 AND ${isThere}`)
        .bind(owner, threadId),
      d1
        .prepare(
          `SELECT session_id AS id, requested_at_ms AS at FROM thread_deletions WHERE owner_email = ?1 AND thread_id = ?2`,
        )
        .bind(owner, threadId),
    ]),
  );
  if (found === undefined || found.results.length === 0) return undefined;
  const sessions = noted?.results ?? [];
  return {
    ownerEmail: owner,
    threadId,
    sessionIds: sessions.map(({ id }) => id),
    requestedAtMs: Math.max(nowMs, ...sessions.map(({ at }) => at)),
  };
};

const Ids = z.array(z.string());

/**
 * Deletions that were asked for at that time or before it and are not done, at most `limit`. In random order, as one may fail each time.
 */
export const listThreadDeletions = async (db: Db, untilMs: number, limit: number): Promise<ThreadDeletion[]> => {
  const { results } = await withTurnTables(db, () =>
    db.$client
      .prepare(
        `SELECT owner_email AS ownerEmail, thread_id AS threadId, json_group_array(session_id) AS sessionIds,
           max(requested_at_ms) AS requestedAtMs
         FROM thread_deletions GROUP BY owner_email, thread_id HAVING max(requested_at_ms) <= ?1 ORDER BY random() LIMIT ?2`,
      )
      .bind(untilMs, limit)
      .all<Omit<ThreadDeletion, "sessionIds"> & { readonly sessionIds: string }>(),
  );
  return results.map((row) => ({ ...row, sessionIds: Ids.parse(parseJson(row.sessionIds)) }));
};

/**
 * Leaves the runs that branches of the thread list to those branches, and returns the other runs of the thread's sessions, live ones first.
 * Runs of other sessions belong to a chat that was begun under the same id since, and stay.
 *
 * In the same transaction the thread stops listing what it inherited, so that of several threads deleted at once, the last one finds those
 * runs. A deletion that is cut off after this finds all of them again, because the thread's own row is still there. The notices of the
 * runs' ends are removed before that.
 */
export const releaseRuns = async (db: Db, { ownerEmail, threadId, sessionIds }: ThreadDeletion): Promise<string[]> => {
  const { $client: d1 } = db;
  const isOfThese = "IN (SELECT value FROM json_each(?3))";
  const listedElsewhere = `IN (SELECT run_id FROM run_marks
    WHERE owner_email = ?1 AND inherited_by IS NOT NULL AND inherited_by NOT ${isOfThese})`;
  const own = `SELECT run_id FROM runs WHERE owner_email = ?1 AND thread_id = ?2 AND session_id ${isOfThese}`;
  const args = [ownerEmail, threadId, JSON.stringify(sessionIds)];
  await dropRunEnds(d1, own, args);
  const leave = (table: string) =>
    `UPDATE ${table} SET thread_id = '${NO_THREAD}' WHERE owner_email = ?1 AND thread_id = ?2
       AND replace(run_id, '${TITLE_OF}', '') IN (${own} AND run_id ${listedElsewhere})`;
  const statements = [
    // Costs before the runs, by which they are found.
    leave("run_costs"),
    leave("runs"),
    `DELETE FROM run_marks WHERE owner_email = ?1 AND thread_id = ?2 AND inherited_by ${isOfThese}`,
    `SELECT run_id FROM runs WHERE owner_email = ?1
       AND ((thread_id = ?2 AND session_id ${isOfThese}) OR (thread_id = '${NO_THREAD}' AND run_id NOT ${listedElsewhere}))
     ORDER BY finished_at_ms IS NOT NULL`,
  ].map((sql) => d1.prepare(sql).bind(...args));
  const [, , , doomed] = await withTurnTables(db, () => d1.batch<{ run_id: string }>(statements));
  return doomed?.results.map(({ run_id: runId }) => runId) ?? [];
};

/**
 * Removes the notices of the ends of runs, because one that waits would lead to a chat that is gone. `runs` is SQL that selects the runs'
 * ids, with the owner as `?1`. Where the migrations have not run, there are no notices.
 */
const dropRunEnds = async (d1: D1Database, runs: string, args: readonly string[]): Promise<void> => {
  const keys = `SELECT '${runEndKey("")}' || run_id FROM (${runs})`;
  const ends = d1.prepare(`DELETE FROM notices WHERE owner_email = ?1 AND dedup_key IN (${keys})`);
  await ends
    .bind(...args)
    .run()
    .catch((error: unknown) => {
      if (!isMissingTable(error)) throw error;
    });
};

/** The runs of a chat that was begun under the thread's id since. Called once the runs of the thread's own sessions are gone. */
export const listRunsSince = async (
  { $client: d1 }: Db,
  { ownerEmail, threadId }: ThreadDeletion,
): Promise<string[]> => {
  const runs = d1.prepare("SELECT run_id AS id FROM runs WHERE owner_email = ?1 AND thread_id = ?2");
  return (await runs.bind(ownerEmail, threadId).all<{ id: string }>()).results.map(({ id }) => id);
};

/**
 * Removes purged runs with their costs, and the idempotency keys of their agent's calls. The keys of their starts stay for their 24 h:
 * a start that is repeated then gets its old answer, and does not begin the chat again.
 */
export const removeRuns = async (db: Db, owner: OwnerEmail, runIds: readonly string[]): Promise<void> => {
  const { $client: d1 } = db;
  const ids = JSON.stringify(runIds);
  const statements = [
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'agent'
           AND substr(key, 5, 36) IN (SELECT value FROM json_each(?2))`,
      )
      .bind(owner, ids),
    d1
      .prepare(
        `DELETE FROM run_costs WHERE (owner_email, thread_id, run_id) IN (
           SELECT owner_email, thread_id, prefix.value || run_id FROM runs, json_each('["", "${TITLE_OF}"]') AS prefix
           WHERE owner_email = ?1 AND run_id IN (SELECT value FROM json_each(?2)))`,
      )
      .bind(owner, ids),
    ...["undone_runs", "runs"].map((table) =>
      d1
        .prepare(`DELETE FROM ${table} WHERE owner_email = ?1 AND run_id IN (SELECT value FROM json_each(?2))`)
        .bind(owner, ids),
    ),
  ];
  // A run may have ended on the way.
  await dropRunEnds(d1, "SELECT value AS run_id FROM json_each(?2)", [owner, ids]);
  await withTurnTables(db, () => d1.batch(statements));
};

/** Removes the thread, unless it has a new run by now, and the rows of its deletion. */
export const removeThread = async (
  { $client: d1 }: Db,
  { ownerEmail, threadId, sessionIds }: ThreadDeletion,
): Promise<void> => {
  const ofThread = "owner_email = ?1 AND thread_id = ?2";
  await d1.batch([
    ...[
      `DELETE FROM threads WHERE ${ofThread} AND NOT EXISTS (SELECT 1 FROM runs WHERE ${ofThread})`,
      `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND response ->> '$.threadId' = ?2`,
      // The marks of its own runs, which are gone.
      `DELETE FROM run_marks WHERE ${ofThread} AND inherited_by IS NULL AND run_id NOT IN (SELECT run_id FROM runs WHERE ${ofThread})`,
    ].map((sql) => d1.prepare(sql).bind(ownerEmail, threadId)),
    // Once more: the branch may have been shown again since, if it was asked for twice.
    d1
      .prepare(`DELETE FROM run_marks WHERE ${ofThread} AND inherited_by IN (SELECT value FROM json_each(?3))`)
      .bind(ownerEmail, threadId, JSON.stringify(sessionIds)),
    d1
      .prepare("DELETE FROM thread_deletions WHERE session_id IN (SELECT value FROM json_each(?))")
      .bind(JSON.stringify(sessionIds)),
  ]);
};
