/** The rows of a thread that is branched from another one: claimed before its conversation is copied, shown afterwards. */
import type { HarnessSessionId, OwnerEmail, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { hasThreadPlace, KEY_TTL_MS } from "../start-conditions.ts";

/** Longest title of a branch without its ending, in characters: a title has at most 200. */
const TITLE_LENGTH = 190;

/** A thread that branches off another one of its owner. */
export type Fork = {
  readonly ownerEmail: OwnerEmail;
  readonly from: ThreadId;
  /** The session that its conversation is copied from. */
  readonly fromSessionId: HarnessSessionId;
  readonly threadId: string;
  readonly sessionId: string;
  readonly nowMs: number;
};

/**
 * Stores the branch's session, where it has turns, which makes its copy part of the account from its first row on, and the answer under the request's
 * key. Nothing shows it yet. A key that is there already keeps its answer.
 */
export const claimFork = async (
  db: Db,
  { ownerEmail, fromSessionId, threadId, sessionId, nowMs }: Fork,
  { key, requestHash, hasTurns }: { readonly key: string; readonly requestHash: string; readonly hasTurns: boolean },
): Promise<void> => {
  const { $client: d1 } = db;
  const isClaimed = `EXISTS (SELECT 1 FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND key = ?2
    AND response ->> '$.threadId' = ?3)`;
  await withTurnTables(db, () =>
    d1.batch([
      d1
        .prepare(
          `INSERT INTO idempotency_keys (owner_email, scope, key, request_hash, response, created_at_ms)
           VALUES (?1, 'turn', ?2, ?3, json_object('threadId', ?4, 'forkSessionId', ?5), ?6) ON CONFLICT DO NOTHING`,
        )
        .bind(ownerEmail, key, requestHash, threadId, sessionId, nowMs),
      d1
        .prepare(
          `INSERT INTO harness_sessions (id, owner_email, org_id, thread_id, harness, workspace_dir, permission_mode, created_at_ms)
           SELECT ?4, owner_email, org_id, ?3, harness, workspace_dir, permission_mode, ?5 FROM harness_sessions
           WHERE id = ?6 AND owner_email = ?1 AND ?7 AND ${isClaimed}`,
        )
        .bind(ownerEmail, key, threadId, sessionId, nowMs, fromSessionId, hasTurns ? 1 : 0),
    ]),
  );
};

/**
 * Shows the branch in the list of threads, with the runs it inherits; repeating it changes nothing. False: the thread that it branches
 * off is gone, or the owner has as many threads as allowed; nothing was written.
 */
export const showFork = async (
  db: Db,
  { ownerEmail, from, fromSessionId, threadId, sessionId, nowMs }: Fork,
  runIds: readonly string[],
): Promise<boolean> => {
  const { $client: d1 } = db;
  const [, , shown] = await withTurnTables(db, () =>
    d1.batch([
      d1
        .prepare(
          `INSERT INTO threads (owner_email, thread_id, title, created_at_ms, updated_at_ms)
           SELECT owner_email, ?3, substr(title, 1, ${TITLE_LENGTH}) || ' (branch)', ?4, ?4 FROM threads
           WHERE owner_email = ?1 AND thread_id = ?2 AND ${hasThreadPlace("?1", "?3")}
             AND EXISTS (SELECT 1 FROM harness_sessions WHERE id = ?5)
             AND NOT EXISTS (SELECT 1 FROM json_each(?6) WHERE value NOT IN (SELECT run_id FROM runs WHERE owner_email = ?1))
           ON CONFLICT DO NOTHING`,
        )
        .bind(ownerEmail, from, threadId, nowMs, fromSessionId, JSON.stringify(runIds)),
      d1
        .prepare(
          `INSERT INTO run_marks (id, owner_email, thread_id, run_id, inherited_by, is_replaced)
           SELECT value || ':' || ?2, ?1, ?2, value, ?3, 0 FROM json_each(?4)
           WHERE EXISTS (SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2)
           ON CONFLICT DO NOTHING`,
        )
        .bind(ownerEmail, threadId, sessionId, JSON.stringify(runIds)),
      d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(ownerEmail, threadId),
    ]),
  );
  return shown !== undefined && shown.results.length > 0;
};

/** A claim whose copy was cut off, and never asked for again. `sessionId` has what was copied. */
type LostFork = Pick<Fork, "ownerEmail" | "threadId" | "sessionId">;

/** Most lost copies that are found at once. The rest follows a minute later. */
const MAX_LOST = 50;

/**
 * Claims that nobody can go on with, because the key of their request has expired. Reads only keys that are about to be deleted
 * (`db/drop-expired`).
 */
export const listLostForks = async (db: Db, nowMs: number): Promise<readonly LostFork[]> => {
  const { results } = await withTurnTables(db, () =>
    db.$client
      .prepare(
        `SELECT owner_email AS ownerEmail, response ->> '$.threadId' AS threadId, response ->> '$.forkSessionId' AS sessionId
         FROM idempotency_keys AS claim WHERE created_at_ms <= ?1 AND scope = 'turn' AND response ->> '$.forkSessionId' IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM threads WHERE owner_email = claim.owner_email AND thread_id = response ->> '$.threadId')
         LIMIT ${MAX_LOST}`,
      )
      .bind(nowMs - KEY_TTL_MS)
      .all<LostFork>(),
  );
  return results;
};

/** Removes what was claimed for a branch that cannot be shown. */
export const dropFork = async ({ $client: d1 }: Db, { ownerEmail, sessionId, threadId }: LostFork): Promise<void> => {
  await d1.batch([
    d1.prepare("DELETE FROM harness_sessions WHERE owner_email = ?1 AND id = ?2").bind(ownerEmail, sessionId),
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND response ->> '$.threadId' = ?2`,
      )
      .bind(ownerEmail, threadId),
  ]);
};
