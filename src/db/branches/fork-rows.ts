/** The rows of a thread that is branched from another one: claimed before its conversation is copied, shown afterwards. */
import type { HarnessSessionId, OwnerEmail, ThreadId } from "../../contract/ids.ts";
import { cutText } from "../../contract/plain-text.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { KEY_LIFETIME_MS } from "../idempotency.ts";
import { hasThreadPlace } from "../start/start-conditions.ts";
import { IS_LOST_FORK } from "./lost-forks.ts";

/** Longest title of a branch without its ending, in UTF-16 units: a title has at most 200. */
const TITLE_LENGTH = 190;

/** A thread that branches off another one of its owner. */
export type Fork = {
  readonly ownerEmail: OwnerEmail;
  readonly from: ThreadId;
  readonly threadId: ThreadId;
  readonly nowMs: number;
};

/** A session of the branch, and the one of the same harness that its conversation is copied from. */
type SessionPair = { readonly from: HarnessSessionId; readonly to: string };

/**
 * Stores the branch's sessions, in this order, and the answer under the request's key. From then on what is copied to these sessions is
 * part of the account, but nothing shows the branch yet. A key in use keeps its answer. An expired one is replaced; if it was the only
 * record of an unfinished copy, it is kept under another name so that the copy can still be deleted. `turnsHash` is the hash of the
 * inherited turns: once they differ, the copy is not continued.
 */
export const claimFork = async (
  db: Db,
  { ownerEmail, threadId, nowMs }: Fork,
  {
    key,
    requestHash,
    turnsHash,
    sessions,
  }: {
    readonly key: string;
    readonly requestHash: string;
    readonly turnsHash: string;
    readonly sessions: readonly SessionPair[];
  },
): Promise<void> => {
  const { $client: d1 } = db;
  const isClaimed = `EXISTS (SELECT 1 FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND key = ?2
    AND response ->> '$.threadId' = ?3)`;
  const expiredMs = nowMs - KEY_LIFETIME_MS;
  await withTurnTables(db, () =>
    d1.batch([
      d1
        .prepare(
          `UPDATE OR IGNORE idempotency_keys SET key = 'lost ' || (response ->> '$.threadId')
           WHERE owner_email = ?1 AND scope = 'turn' AND key = ?2 AND created_at_ms <= ?3 AND ${IS_LOST_FORK}`,
        )
        .bind(ownerEmail, key, expiredMs),
      d1
        .prepare(
          `INSERT INTO idempotency_keys (owner_email, scope, key, request_hash, response, created_at_ms)
           VALUES (?1, 'turn', ?2, ?3, json_object('threadId', ?4, 'isFork', json('true'), 'turnsHash', ?7), ?5)
           ON CONFLICT DO UPDATE SET request_hash = excluded.request_hash, response = excluded.response,
             created_at_ms = excluded.created_at_ms WHERE created_at_ms <= ?6`,
        )
        .bind(ownerEmail, key, requestHash, threadId, nowMs, expiredMs, turnsHash),
      d1
        .prepare(
          `INSERT INTO harness_sessions (id, owner_email, org_id, thread_id, harness, workspace_dir, permission_mode, created_at_ms)
           SELECT pair.value ->> '$.to', owner_email, org_id, ?3, harness, workspace_dir, permission_mode, ?4
           FROM json_each(?5) AS pair JOIN harness_sessions ON harness_sessions.id = pair.value ->> '$.from'
           WHERE owner_email = ?1 AND ${isClaimed} ORDER BY pair.key`,
        )
        .bind(ownerEmail, key, threadId, nowMs, JSON.stringify(sessions)),
    ]),
  );
};

/** Most turns that all branches of one owner may repeat: as many as are searched. Each has a mark here, and a copy in a session. */
export const MAX_INHERITED_TURNS = 50_000;

/** Whether the owner's branches may repeat this many more turns, as a condition in SQL. */
const hasTurnPlace = (owner: string, added: string): string =>
  `((SELECT count(*) FROM run_marks WHERE owner_email = ${owner} AND inherited_by IS NOT NULL) + ${added} <= ${MAX_INHERITED_TURNS})`;

/**
 * Which of the owner's limits another branch, with this many turns, would exceed; null if none. Asked before anything is copied, and when a
 * branch could not be shown.
 */
export const limitOfFork = (db: Db, owner: OwnerEmail, turns: number): Promise<"turns" | "threads" | null> =>
  withTurnTables(db, () =>
    db.$client
      .prepare(
        `SELECT CASE WHEN NOT ${hasTurnPlace("?1", "?2")} THEN 'turns'
           WHEN NOT ${hasThreadPlace("?1", "NULL")} THEN 'threads' END AS reached`,
      )
      .bind(owner, turns)
      .first("reached"),
  );

/** A session of a branch, and the runs whose turns it has. */
export type InheritedRuns = { readonly sessionId: string; readonly runIds: readonly string[] };

/**
 * Shows the branch in the list of threads, with the runs it inherits; repeating it changes nothing. False, with nothing written, if the
 * thread that it branches off, one of these sessions or one of these runs is gone, if the branch is being deleted, or if the owner has as
 * many threads, or turns in branches, as allowed.
 */
export const showFork = async (
  db: Db,
  { ownerEmail, from, threadId, nowMs }: Fork,
  {
    fromSessionIds,
    copies,
  }: { readonly fromSessionIds: readonly HarnessSessionId[]; readonly copies: readonly InheritedRuns[] },
): Promise<boolean> => {
  const { $client: d1 } = db;
  // 39 bytes for each run: as many as branches may repeat fit into D1's 2 MB for a value.
  const runs = JSON.stringify(copies.flatMap(({ runIds }) => runIds));
  const named = d1.prepare("SELECT title FROM threads WHERE owner_email = ? AND thread_id = ?").bind(ownerEmail, from);
  const title = `${cutText((await named.first<string>("title")) ?? "", TITLE_LENGTH)} (branch)`;
  const results = await withTurnTables(db, () =>
    d1.batch([
      d1
        .prepare(
          `INSERT INTO threads (owner_email, thread_id, title, created_at_ms, updated_at_ms)
           SELECT owner_email, ?3, ?7, ?4, ?4 FROM threads
           WHERE owner_email = ?1 AND thread_id = ?2 AND EXISTS (SELECT 1 FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn'
               AND response ->> '$.threadId' = ?3 AND response ->> '$.isDropped' IS NULL)
             AND ${hasThreadPlace("?1", "?3")}
             AND ${hasTurnPlace("?1", "json_array_length(?6)")}
             AND NOT EXISTS (SELECT 1 FROM json_each(?5) WHERE value NOT IN (SELECT id FROM harness_sessions))
             AND NOT EXISTS (SELECT 1 FROM json_each(?6) WHERE value NOT IN (SELECT run_id FROM runs WHERE owner_email = ?1))
           ON CONFLICT DO NOTHING`,
        )
        .bind(ownerEmail, from, threadId, nowMs, JSON.stringify(fromSessionIds), runs, title),
      ...copies.map(({ sessionId, runIds }) =>
        d1
          .prepare(
            `INSERT INTO run_marks (id, owner_email, thread_id, run_id, inherited_by, is_replaced)
             SELECT value || ':' || ?2, ?1, ?2, value, ?4, 0 FROM json_each(?3)
             WHERE EXISTS (SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2)
             ON CONFLICT DO NOTHING`,
          )
          .bind(ownerEmail, threadId, JSON.stringify(runIds), sessionId),
      ),
      d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(ownerEmail, threadId),
    ]),
  );
  return results.at(-1)?.results.length === 1;
};

/** Whether a branch is in the list of threads. */
export const isForkShown = async ({ $client: d1 }: Db, owner: OwnerEmail, threadId: ThreadId): Promise<boolean> => {
  const found = d1.prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2").bind(owner, threadId);
  return (await found.first()) !== null;
};
