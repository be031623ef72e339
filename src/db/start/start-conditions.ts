/** The conditions of a turn start, as SQL for its one insert, and why it was refused, which is queried only then. */
import type { OwnerEmail, ThreadId } from "../../contract/ids.ts";
import { type DayLimits, hasDayLeft, limitParameters } from "../day-costs.ts";
import type { Db } from "../db.ts";
import { KEY_LIFETIME_MS } from "../idempotency.ts";

/** The conditions of a start, besides the number of its owner's open runs. */
export type RunConditions = {
  /** The log-in that must be live; undefined when sign-in is off. */
  readonly loginId: string | undefined;
  /** The model's facts are stored under its own id, otherwise under this family's id. */
  readonly modelFamily: string;
  /** The effort that the model must support; undefined when none was chosen. */
  readonly effort: string | undefined;
  /** The efforts that it supports if nothing is stored about it. */
  readonly committedEfforts: readonly string[];
  /** Undefined when a day has no budget. */
  readonly dayLimits?: DayLimits | undefined;
  /** The occurrence of a schedule that the start is for; undefined when a person sent the prompt. */
  readonly occurrence?: Occurrence | undefined;
};

/** A time at which a schedule is due. */
export type Occurrence = { readonly scheduleId: string; readonly dueAtMs: number };

/** Why nothing was written. `modelFacts`: what is stored about the model, as JSON. */
export type RunRefusal =
  /** The key is known; this is its first answer, as JSON. */
  | { readonly type: "replayed"; readonly requestHash: string; readonly response: string }
  /** The log-in was revoked. */
  | { readonly type: "revoked" }
  /** The model does not support this effort. */
  | { readonly type: "unfit_effort"; readonly modelFacts: string | undefined }
  /** The owner has as many threads as allowed, and this would be one more. */
  | { readonly type: "too_many_threads" }
  /** Today's budget is used up, the owner's or everybody's. */
  | { readonly type: "over_day_budget" }
  /** The schedule is not due any more, was deleted or paused, or its owner's account is being deleted. */
  | { readonly type: "not_due" }
  /** The thread or its owner has too many open runs. */
  | { readonly type: "too_many_runs" };

/** Whether a log-in is live. Without a log-in its table is not named, because it may not exist before a migration. */
export const isLoginLive = (loginId: string | undefined, id: string, nowMs: string): string =>
  loginId === undefined ? "1" : `EXISTS (SELECT 1 FROM logins WHERE id = ${id} AND expires_at_ms > ${nowMs})`;

/**
 * Whether a schedule is still due and its owner's account open. `parameter` is that of the occurrence as JSON. Without an occurrence the
 * tables are not named, because they may not exist before a migration.
 */
export const isStillDue = (occurrence: Occurrence | undefined, owner: string, parameter: string): string =>
  occurrence === undefined
    ? "1"
    : `EXISTS (SELECT 1 FROM schedules WHERE id = ${parameter} ->> '$.scheduleId' AND owner_email = ${owner}
         AND state = 'active' AND due_at_ms = ${parameter} ->> '$.dueAtMs')
       AND NOT EXISTS (SELECT 1 FROM account_deletions WHERE owner_email = ${owner})`;

/** What admits a start, as one parameter: a person's log-in, or the occurrence of a schedule, which has no log-in. */
export const admittedBy = ({ loginId, occurrence }: RunConditions): string | null =>
  loginId ?? (occurrence === undefined ? null : JSON.stringify(occurrence));

/** Most threads of one owner, who may delete some. Fifteen new chats a day reach this after a year. */
export const MAX_THREADS_PER_OWNER = 5_000;

/** Whether the thread exists or may be created. The owner's threads are counted only for a new one. */
export const hasThreadPlace = (owner: string, thread: string): string =>
  `(EXISTS (SELECT 1 FROM threads WHERE owner_email = ${owner} AND thread_id = ${thread})
    OR (SELECT count(*) FROM threads WHERE owner_email = ${owner}) < ${MAX_THREADS_PER_OWNER})`;

/** What is stored about a model, or null. */
export const storedFacts = (model: string, family: string): string =>
  `(SELECT facts FROM model_facts WHERE id IN (${model}, ${family}) ORDER BY id = ${model} DESC LIMIT 1)`;

/** Whether a model supports an effort; null is always fine. `efforts`: its levels as a JSON list, used if nothing is stored about it. */
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
  is_still_due: number;
  model_facts: string | null;
};

/** A start that was refused. `key` is null when it had none. */
type RefusedStart = {
  readonly ownerEmail: OwnerEmail;
  readonly threadId: ThreadId;
  readonly key: string | null;
  readonly model: string;
  readonly createdAtMs: number;
};

/** Finds out why a start was refused, from the current state, which may have changed since the insert. */
export const findRefusal = async (
  { $client: d1 }: Db,
  { ownerEmail, threadId, key, model, createdAtMs }: RefusedStart,
  conditions: RunConditions,
): Promise<RunRefusal> => {
  const { loginId, modelFamily, effort, committedEfforts, dayLimits, occurrence } = conditions;
  const admitted = admittedBy(conditions);
  const facts = storedFacts("?4", "?5");
  const row = await d1
    .prepare(
      `SELECT k.request_hash, k.response, ${facts} AS model_facts,
         ${isLoginLive(loginId, "?9", "?10")} AS is_login_live,
         ${hasThreadPlace("?1", "?8")} AS has_thread_place,
         ${hasDayLeft(dayLimits, 11)} AS has_day_left,
         ${isStillDue(occurrence, "?1", "?9")} AS is_still_due,
         ${takesEffort("?6", facts, "?7")} AS takes_effort
       FROM (SELECT 1) LEFT JOIN idempotency_keys AS k
         ON k.owner_email = ?1 AND k.scope = 'turn' AND k.key = ?2 AND k.created_at_ms > ?3`,
    )
    .bind(
      ...[ownerEmail, key, createdAtMs - KEY_LIFETIME_MS, model, modelFamily],
      ...[effort ?? null, JSON.stringify(committedEfforts), threadId],
      // D1 expects as many parameters as the highest number in the text.
      ...(admitted === null && dayLimits === undefined ? [] : [admitted]),
      ...(loginId === undefined && dayLimits === undefined ? [] : [createdAtMs]),
      ...limitParameters(dayLimits),
    )
    .first<Row>();
  if (row?.is_login_live === 0) return { type: "revoked" };
  if (row?.takes_effort === 0) return { type: "unfit_effort", modelFacts: row.model_facts ?? undefined };
  if (row?.request_hash && row.response) {
    return { type: "replayed", requestHash: row.request_hash, response: row.response };
  }
  if (row?.is_still_due === 0) return { type: "not_due" };
  if (row?.has_thread_place === 0) return { type: "too_many_threads" };
  if (row?.has_day_left === 0) return { type: "over_day_budget" };
  return { type: "too_many_runs" };
};
