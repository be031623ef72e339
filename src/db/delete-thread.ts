/**
 * Deleting a thread in D1, around the purge of its objects. After the first step a new turn gets a new session; the
 * thread's own row goes last, so that a deletion that was cut off can simply be asked for again.
 */
import type { OwnerEmail, ThreadId } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";

/** A run to purge, with the session it belongs to. */
export type DoomedRun = { readonly run_id: string; readonly session_id: string };

/** Cuts the thread off from its sessions and gives all its runs; undefined when the owner has no such thread. */
export const detachThread = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
): Promise<DoomedRun[] | undefined> => {
  const [found, , runs] = await d1.batch<DoomedRun>([
    d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
    d1.prepare("DELETE FROM harness_sessions WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
    d1.prepare("SELECT run_id, session_id FROM runs WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId),
  ]);
  return found === undefined || found.results.length === 0 ? undefined : runs?.results;
};

/** Removes purged runs with what they cost, and the idempotency keys of their starts and of their agent's calls. */
export const removeRuns = async (db: Db, owner: OwnerEmail, runIds: readonly string[]): Promise<void> => {
  const { $client: d1 } = db;
  const ids = JSON.stringify(runIds);
  const statements = [
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn'
           AND json_extract(response, '$.runId') IN (SELECT value FROM json_each(?2))`,
      )
      .bind(owner, ids),
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'agent'
           AND substr(key, 5, 36) IN (SELECT value FROM json_each(?2))`,
      )
      .bind(owner, ids),
    d1
      .prepare(
        `DELETE FROM run_costs WHERE (owner_email, thread_id, run_id) IN (
           SELECT owner_email, thread_id, run_id FROM runs
           WHERE owner_email = ?1 AND run_id IN (SELECT value FROM json_each(?2)))`,
      )
      .bind(owner, ids),
    d1
      .prepare("DELETE FROM runs WHERE owner_email = ?1 AND run_id IN (SELECT value FROM json_each(?2))")
      .bind(owner, ids),
  ];
  await withTurnTables(db, () => d1.batch(statements));
};

/** Removes the thread unless it has got a new run meanwhile. */
export const removeThread = async ({ $client: d1 }: Db, owner: OwnerEmail, threadId: ThreadId): Promise<void> => {
  await d1
    .prepare(
      `DELETE FROM threads WHERE owner_email = ?1 AND thread_id = ?2
         AND NOT EXISTS (SELECT 1 FROM runs WHERE owner_email = ?1 AND thread_id = ?2)`,
    )
    .bind(owner, threadId)
    .run();
};
