/** What a turn start is held to, as SQL for its one insert, and why it was refused, which is asked only then. */
import type { OwnerEmail, ThreadId } from "../contract/ids.ts";
import { type DayLimits, hasDayLeft, limitParameters } from "./day-costs.ts";
import type { Db } from "./db.ts";

/** How long an answer is kept under its idempotency key. */
export const KEY_TTL_MS = 24 * 3_600_000;

/** What a start is held to, beside what its owner has running. */
export type RunConditions = {
  /** The log-in that has to be live; undefined where sign-in is off. */
  readonly loginId: string | undefined;
  /** Where the model's facts may be stored as well: under its own id first, else under its family's. */
  readonly modelFamily: string;
  /** The effort that the model has to take, undefined for none in particular. */
  readonly effort: string | undefined;
  /** The efforts that it takes where nothing is stored of it. */
  readonly committedEfforts: readonly string[];
  /** Undefined where a day has no budget. */
  readonly dayLimits?: DayLimits | undefined;
};

/** Why nothing was written. `modelFacts`: what is stored of the model, as JSON. */
export type RunRefusal =
  /** The key is known: the answer it was given then, as JSON. */
  | { readonly type: "replayed"; readonly requestHash: string; readonly response: string }
  /** The log-in was revoked. */
  | { readonly type: "revoked" }
  /** The model does not take this effort. */
  | { readonly type: "unfit_effort"; readonly modelFacts: string | undefined }
  /** Today's budget is used up, the owner's or everybody's. */
  | { readonly type: "over_day_budget" }
  /** The owner has as many threads as they can have, and this would be another one. */
  | { readonly type: "too_many_threads" }
  /** Too many open runs. */
  | { readonly type: "refused" };

/** Whether a log-in is live. Without one its table is not named: where no migration has run it does not exist (spec §4.1.4). */
export const isLoginLive = (loginId: string | undefined, id: string, nowMs: string): string =>
  loginId === undefined ? "1" : `EXISTS (SELECT 1 FROM logins WHERE id = ${id} AND expires_at_ms > ${nowMs})`;

/** Threads of one owner, who may delete some: a person who writes fifteen chats a day has as many after a year. */
export const MAX_THREADS_PER_OWNER = 5_000;

/** Whether a thread is there, or can be made. Only a new one has the others counted. */
export const hasThreadPlace = (owner: string, thread: string): string =>
  `(EXISTS (SELECT 1 FROM threads WHERE owner_email = ${owner} AND thread_id = ${thread})
    OR (SELECT count(*) FROM threads WHERE owner_email = ${owner}) < ${MAX_THREADS_PER_OWNER})`;

/** What is stored of a model, or null. */
export const storedFacts = (model: string, family: string): string =>
  `(SELECT facts FROM model_facts WHERE id IN (${model}, ${family}) ORDER BY id = ${model} DESC LIMIT 1)`;

/** Whether a model takes an effort; null suits any. `efforts`: its levels as a JSON list, where nothing is stored of it. */
export const takesEffort = (effort: string, facts: string, efforts: string): string =>
  `(${effort} IS NULL
    OR EXISTS (SELECT 1 FROM json_each(coalesce(${facts} -> '$.efforts', ${efforts})) WHERE value = ${effort}))`;

type Row = {
  request_hash: string | null;
  response: string | null;
  is_login_live: number;
  takes_effort: number;
  has_day_left: number;
  has_thread_place: number;
  model_facts: string | null;
};

/** A start that was refused. `key` is null where it came without one. */
type RefusedStart = {
  readonly ownerEmail: OwnerEmail;
  readonly threadId: ThreadId;
  readonly key: string | null;
  readonly model: string;
  readonly createdAtMs: number;
};

/** Why. What has changed since the insert counts as it is now. */
export const findRefusal = async (
  { $client: d1 }: Db,
  { ownerEmail, threadId, key, model, createdAtMs }: RefusedStart,
  { loginId, modelFamily, effort, committedEfforts, dayLimits }: RunConditions,
): Promise<RunRefusal> => {
  const facts = storedFacts("?4", "?5");
  const row = await d1
    .prepare(
      `SELECT k.request_hash, k.response, ${facts} AS model_facts,
         ${isLoginLive(loginId, "?9", "?10")} AS is_login_live,
         ${hasThreadPlace("?1", "?8")} AS has_thread_place,
         ${hasDayLeft(dayLimits, 11)} AS has_day_left,
         ${takesEffort("?6", facts, "?7")} AS takes_effort
       FROM (SELECT 1) LEFT JOIN idempotency_keys AS k
         ON k.owner_email = ?1 AND k.scope = 'turn' AND k.key = ?2 AND k.created_at_ms > ?3`,
    )
    .bind(
      ...[ownerEmail, key, createdAtMs - KEY_TTL_MS, model, modelFamily],
      ...[effort ?? null, JSON.stringify(committedEfforts), threadId],
      // D1 wants as many as the highest number that the text names.
      ...(loginId === undefined && dayLimits === undefined ? [] : [loginId ?? null, createdAtMs]),
      ...limitParameters(dayLimits),
    )
    .first<Row>();
  if (row?.is_login_live === 0) return { type: "revoked" };
  if (row?.takes_effort === 0) return { type: "unfit_effort", modelFacts: row.model_facts ?? undefined };
  if (row?.request_hash && row.response) {
    return { type: "replayed", requestHash: row.request_hash, response: row.response };
  }
  if (row?.has_day_left === 0) return { type: "over_day_budget" };
  if (row?.has_thread_place === 0) return { type: "too_many_threads" };
  return { type: "refused" };
};
