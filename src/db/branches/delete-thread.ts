/** The rows that are deleted with a thread, and those that stay because a branch of it lists them. */
import type { OwnerEmail, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { TITLE_OF } from "../pico-usd.ts";

/**
 * Detaches the thread from its sessions and returns their ids; undefined when the owner has no such thread. This is the first
 * step of a deletion, before its objects are purged: a new turn now gets a new session. The thread's own row is deleted last,
 * so that an interrupted deletion can simply be repeated.
 */
export const detachThread = async (db: Db, owner: OwnerEmail, threadId: ThreadId): Promise<string[] | undefined> => {
  const { $client: d1 } = db;
  const [found, , sessions] = await withTurnTables(db, () =>
    d1.batch<{ id: string }>([
      d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
      d1.prepare("DELETE FROM harness_sessions WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
      d1
        .prepare(
          `SELECT session_id AS id FROM runs WHERE owner_email = ?1 AND thread_id = ?2
           UNION SELECT inherited_by FROM run_marks
             WHERE owner_email = ?1 AND thread_id = ?2 AND inherited_by IS NOT NULL`,
        )
        .bind(owner, threadId),
    ]),
  );
  return found === undefined || found.results.length === 0 ? undefined : sessions?.results.map(({ id }) => id);
};

/** The thread of runs that only branches of a deleted thread still list. No client can choose that id. */
const NO_THREAD = "";

/**
 * Hands the runs that branches of the thread list over to them, and returns those of these sessions that nobody lists. The sessions have
 * been purged: which they were is not known afterwards. A turn that has started since has a session of its own, and stays.
 *
 * What the thread inherited it lists no more, in the same transaction: of several threads deleted at once, the last one finds the runs. The
 * thread's own row is still there, so a deletion that is cut off after this finds them when it is repeated.
 */
export const releaseRuns = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  sessionIds: readonly string[],
): Promise<string[]> => {
  const { $client: d1 } = db;
  const isElsewhere = `replace(run_id, '${TITLE_OF}', '') IN (SELECT run_id FROM run_marks
    WHERE owner_email = ?1 AND thread_id <> ?2 AND inherited_by IS NOT NULL)`;
  const leave = (table: string) =>
    d1
      .prepare(
        `UPDATE ${table} SET thread_id = '${NO_THREAD}' WHERE owner_email = ?1 AND thread_id = ?2 AND ${isElsewhere}`,
      )
      .bind(owner, threadId);
  const [, , , doomed] = await withTurnTables(db, () =>
    d1.batch<{ run_id: string }>([
      leave("run_costs"),
      leave("runs"),
      d1
        .prepare(
          `DELETE FROM run_marks WHERE owner_email = ?1 AND thread_id = ?2
             AND inherited_by IN (SELECT value FROM json_each(?3))`,
        )
        .bind(owner, threadId, JSON.stringify(sessionIds)),
      d1
        .prepare(
          `SELECT run_id FROM runs WHERE owner_email = ?1
             AND ((thread_id = ?2 AND session_id IN (SELECT value FROM json_each(?3)))
               OR (thread_id = '${NO_THREAD}' AND NOT ${isElsewhere}))`,
        )
        .bind(owner, threadId, JSON.stringify(sessionIds)),
    ]),
  );
  return doomed?.results.map(({ run_id: runId }) => runId) ?? [];
};

/**
 * Removes purged runs with their costs, and the idempotency keys of their agent's calls. Those of their starts stay for their day: a start
 * that is repeated has its answer, and does not bring the chat back.
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
  await withTurnTables(db, () => d1.batch(statements));
};

/** Removes the thread unless it has a new run by now. */
export const removeThread = async ({ $client: d1 }: Db, owner: OwnerEmail, threadId: ThreadId): Promise<void> => {
  await d1.batch([
    d1
      .prepare(
        `DELETE FROM threads WHERE owner_email = ?1 AND thread_id = ?2
           AND NOT EXISTS (SELECT 1 FROM runs WHERE owner_email = ?1 AND thread_id = ?2)`,
      )
      .bind(owner, threadId),
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND response ->> '$.threadId' = ?2`,
      )
      .bind(owner, threadId),
    d1
      .prepare(
        `DELETE FROM run_marks WHERE owner_email = ?1 AND thread_id = ?2
           AND NOT EXISTS (SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2)`,
      )
      .bind(owner, threadId),
  ]);
};
