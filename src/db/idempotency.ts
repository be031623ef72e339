/** Answers of writes, stored under their keys. A key is valid for 24 h; an older one counts as absent and is replaced. */
import { and, eq, gt } from "drizzle-orm";
import type { OwnerEmail } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { idempotencyKeys, SHORT_ANSWER_BYTES } from "./turn-tables.ts";

/** How long an answer is kept under its key, including that of a turn start (api.md §5). */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Most bytes that one owner's answers may take: 10,000 stocks with long notes. The database is everybody's, and holds 10 GB. */
export const MAX_FILED_BYTES = 50_000_000;

/** Whether one more answer of this size may be filed for an owner, as a condition in SQL. Both arguments are SQL. */
const mayFile = (owner: string, bytes: string): string =>
  `(${bytes} <= ${SHORT_ANSWER_BYTES} OR ${bytes} + (SELECT total(octet_length(response)) FROM idempotency_keys
     WHERE owner_email = ${owner} AND octet_length(response) > ${SHORT_ANSWER_BYTES}) <= ${MAX_FILED_BYTES})`;

/** Whether filing another answer would exceed what its owner may have filed. `response` is JSON. */
export const isFiledTooMuch = async ({ $client: d1 }: Db, owner: OwnerEmail, response: string): Promise<boolean> => {
  const { length } = new TextEncoder().encode(response);
  if (length <= SHORT_ANSWER_BYTES) return false;
  const may = d1.prepare(`SELECT ${mayFile("?1", "?2")} AS may`).bind(owner, length);
  return (await may.first("may")) === 0;
};

/** Where an answer is stored. `turn`, `action`: keys that clients choose; `agent`: keys of the agent's calls. */
export type AnswerKey = {
  readonly ownerEmail: OwnerEmail;
  readonly scope: "turn" | "action" | "agent";
  readonly key: string;
  /** Distinguishes a repeated request from a different one under the same key. */
  readonly requestHash: string;
};

/** An answer to be stored under a key, in the batch that makes it true. `response` is JSON. */
export type FiledAnswer = { readonly key: AnswerKey; readonly response: string };

/** The first answer under a key, as JSON, and the hash of the request it answered. */
export type StoredAnswer = { readonly requestHash: string; readonly response: string };

export const findAnswer = (
  db: Db,
  answerKey: Omit<AnswerKey, "requestHash">,
  nowMs: number,
): Promise<StoredAnswer | undefined> =>
  db
    .select({ requestHash: idempotencyKeys.requestHash, response: idempotencyKeys.response })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.ownerEmail, answerKey.ownerEmail),
        eq(idempotencyKeys.scope, answerKey.scope),
        eq(idempotencyKeys.key, answerKey.key),
        gt(idempotencyKeys.createdAtMs, nowMs - KEY_LIFETIME_MS),
      ),
    )
    .get();

/** Hash of a claimed key: no request has it. */
const CLAIMED = "claimed";

/** Whether a key holds a claim instead of an answer. */
export const isClaim = ({ requestHash }: StoredAnswer): boolean => requestHash === CLAIMED;

/**
 * Claims a key, so that no write under it can commit for as long as the claim is kept, which is far longer than a write can be on
 * its way; or returns the answer of a write that has committed already. Claiming it twice is harmless.
 */
export const claimAnswer = async (
  { $client: d1 }: Db,
  { ownerEmail, scope, key }: Omit<AnswerKey, "requestHash">,
  nowMs: number,
): Promise<string | undefined> => {
  const [, found] = await d1.batch<StoredAnswer>([
    d1
      .prepare(
        `INSERT INTO idempotency_keys (owner_email, scope, key, request_hash, response, created_at_ms)
         VALUES (?, ?, ?, '${CLAIMED}', 'null', ?) ON CONFLICT DO NOTHING`,
      )
      .bind(ownerEmail, scope, key, nowMs),
    d1
      .prepare(
        `SELECT request_hash AS requestHash, response FROM idempotency_keys
         WHERE owner_email = ? AND scope = ? AND key = ?`,
      )
      .bind(ownerEmail, scope, key),
  ]);
  const [row] = found?.results ?? [];
  return row === undefined || isClaim(row) ? undefined : row.response;
};

/**
 * Statements that store an answer, for a write's batch. The whole batch fails if a live key has the same name, or if answers that came
 * first leave no room: then the answer is NULL, which the column refuses. Whoever tries again reads the answer, or is refused
 * (`isFiledTooMuch`).
 */
export const answerStatements = (
  db: Db,
  { ownerEmail, scope, key, requestHash }: AnswerKey,
  response: string,
  nowMs: number,
): D1PreparedStatement[] => [
  db.$client
    .prepare("DELETE FROM idempotency_keys WHERE owner_email = ? AND scope = ? AND key = ? AND created_at_ms <= ?")
    .bind(ownerEmail, scope, key, nowMs - KEY_LIFETIME_MS),
  db.$client
    .prepare(
      `INSERT INTO idempotency_keys (owner_email, scope, key, request_hash, response, created_at_ms)
       VALUES (?1, ?2, ?3, ?4, CASE WHEN ${mayFile("?1", "octet_length(?5)")} THEN ?5 END, ?6)`,
    )
    .bind(ownerEmail, scope, key, requestHash, response, nowMs),
];

/** Whether a batch failed because another answer was filed first: under the same key, or in the last room there was. */
export const isFiledFirst = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("constraint failed: idempotency_keys");
