/** The rows of branches that were claimed and are not shown: found when nobody can go on with them, and deleted. */
import type { OwnerEmail, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { KEY_LIFETIME_MS } from "../idempotency.ts";

/** A claim whose copy was cut off, and never asked for again. */
export type LostFork = { readonly ownerEmail: OwnerEmail; readonly threadId: ThreadId };

/** Most lost copies that are found at once. The rest follows a minute later. */
const MAX_LOST = 50;

/** Claims that nobody can go on with, because the key of their request has expired. In random order, as one may fail each time. */
export const listLostForks = async (db: Db, nowMs: number): Promise<readonly LostFork[]> => {
  const { results } = await withTurnTables(db, () =>
    db.$client
      .prepare(
        `SELECT owner_email AS ownerEmail, response ->> '$.threadId' AS threadId
         FROM idempotency_keys WHERE created_at_ms <= ?1 AND ${IS_LOST_FORK} ORDER BY random() LIMIT ${MAX_LOST}`,
      )
      .bind(nowMs - KEY_LIFETIME_MS)
      .all<LostFork>(),
  );
  return results;
};

/**
 * Whether a row of `idempotency_keys` is a claim whose branch nobody has seen. Such a row is all that is known of what was copied. The
 * answer of an earlier release names the branch's session instead.
 */
export const IS_LOST_FORK = `(scope = 'turn' AND coalesce(response ->> '$.isFork', response ->> '$.forkSessionId') IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM threads
    WHERE owner_email = idempotency_keys.owner_email AND thread_id = idempotency_keys.response ->> '$.threadId'))`;

/** Whether the branch is not shown. From then on it never is: of two requests under one key, one must not delete what the other shows. */
export const mayDropFork = async (db: Db, { ownerEmail, threadId }: LostFork): Promise<boolean> => {
  const { $client: d1 } = db;
  const mark = d1
    .prepare(
      `UPDATE idempotency_keys SET response = json_set(response, '$.isDropped', json('true'))
       WHERE owner_email = ?1 AND scope = 'turn' AND response ->> '$.threadId' = ?2
         AND NOT EXISTS (SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2)`,
    )
    .bind(ownerEmail, threadId);
  const shown = d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2");
  const results = await d1.batch([mark, shown.bind(ownerEmail, threadId)]);
  return results.at(-1)?.results.length === 0;
};

/** Removes what was claimed for a branch that cannot be shown. */
export const dropFork = async ({ $client: d1 }: Db, { ownerEmail, threadId }: LostFork): Promise<void> => {
  await d1.batch([
    d1.prepare("DELETE FROM harness_sessions WHERE owner_email = ?1 AND thread_id = ?2").bind(ownerEmail, threadId),
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND response ->> '$.threadId' = ?2`,
      )
      .bind(ownerEmail, threadId),
  ]);
};
