/**
 * How actions write: they read, prepare the change and commit it as a whole, and only once under a key. Besides this, stocks are changed
 * by an undo (`undo/stocks/undo-stocks`). Links to listings (`db/prices/instruments`), prices (`db/prices/copy-prices`) and target hits
 * (`db/notices/target-hits`) are noted on them without a version.
 */
import type { z } from "zod";
import { AppError, otherRequest } from "../contract/app-error.ts";
import { contentHash } from "../contract/digest.ts";
import { parseJson } from "../contract/parse-json.ts";
import { changedTooMuch } from "../contract/stocks/day-limit.ts";
import { commitStocks } from "../db/commit-stocks.ts";
import { bytesOf, isDayFull, isOverDay } from "../db/day-changes.ts";
import {
  type AnswerKey,
  type FiledAnswer,
  findAnswer,
  isClaim,
  isFiledTooMuch,
  MAX_FILED_BYTES,
  type StoredAnswer,
} from "../db/idempotency.ts";
import type { ActionContext } from "./define-action.ts";
import { type StockChange, toMutation } from "./stock-change.ts";
import { startTry, type WriteMoment } from "./write-row.ts";

/** Tries of one write. Each lost try means that another write of the same owner succeeded. */
const MAX_TRIES = 32;

/** A request to write. `input` tells it apart from another request under the same key. */
export type WriteRequest<Output> = {
  readonly action: string;
  readonly input: unknown;
  readonly idempotencyKey: string | undefined;
  readonly output: z.ZodType<Output>;
};

/** What a write would do to the stocks as they are now, and what it would answer. */
export type WritePlan<Output> = {
  readonly changes: readonly StockChange[];
  readonly answer: Output;
  /** Work outside of the batch that the changes need; runs once nothing else refuses them. */
  readonly prepare?: (() => Promise<void>) | undefined;
};

/** A prepared write. `commit` returns false, and has changed nothing, when another write came first. */
export type PreparedWrite<Output> = {
  readonly answer: Output;
  commit(filed: FiledAnswer | undefined): Promise<boolean>;
};

/** Carries out a write to stocks and returns its answer; see `commitOnce`. */
export const writeOnce = <Output>(
  ctx: ActionContext,
  request: WriteRequest<Output>,
  plan: (moment: WriteMoment) => Promise<WritePlan<Output>>,
): Promise<Output> =>
  commitOnce(ctx, request, async () => {
    const moment = startTry(ctx);
    const { changes, answer, prepare } = await plan(moment);
    const commit = async (filed: FiledAnswer | undefined): Promise<boolean> => {
      const mutation = toMutation(moment, changes, filed);
      const { ownerEmail, nowMs, events } = mutation;
      if (prepare !== undefined) {
        if (await isDayFull(ctx.db, ownerEmail, nowMs, bytesOf(events, filed))) throw changedTooMuch(nowMs);
        await prepare();
      }
      return (await commitStocks(ctx.db, mutation)) === "committed";
    };
    return { answer, commit };
  });

/**
 * Carries out a write and returns its answer. `prepare` reads and decides; it refuses by throwing, and is called again when another
 * write came first. @throws {AppError} 422 when the key was used for a different request; 409 when other writes keep coming
 * first, or when the call was stopped; `overLimit` when there is nothing else to say; 429 when the owner has too much filed, or when the
 * changes of their day would store too much.
 */
export const commitOnce = async <Output>(
  ctx: ActionContext,
  request: WriteRequest<Output>,
  prepare: () => Promise<PreparedWrite<Output>>,
): Promise<Output> => {
  const key = await answerKey(ctx, request);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const [prepared] = await Promise.allSettled([prepare()]);
    // Looked for only after `prepare`: if the same request was sent twice at once, its twin may be why `prepare` refuses.
    const stored = key && (await findAnswer(ctx.db, key, ctx.nowMs()));
    const refusal = prepared.status === "rejected" ? prepared.reason : undefined;
    if (stored !== undefined) return readAnswer(request, key, stored, refusal);
    if (prepared.status === "rejected") throw refusal;
    if (ctx.overLimit !== undefined) throw ctx.overLimit;
    const { answer, commit } = prepared.value;
    const response = JSON.stringify(answer);
    if (key && (await isFiledTooMuch(ctx.db, key.ownerEmail, response))) throw filedTooMuch(key.scope);
    const isCommitted = await commit(key && { key, response }).catch((error: unknown) => {
      throw isOverDay(error) ? changedTooMuch(ctx.nowMs()) : error;
    });
    if (isCommitted) return answer;
  }
  throw new AppError(409, "Your list was being changed at the same time. Try again.");
};

/** When to ask again, in seconds: an hour. Each stored answer is dropped after 24 h. */
const FILED_AGAIN_S = "3600";

/** An agent's tools take no key, so it cannot leave one out. */
const filedTooMuch = (scope: AnswerKey["scope"]): AppError => {
  const headers = { "Retry-After": FILED_AGAIN_S };
  const limit = `${MAX_FILED_BYTES / 1e6} MB, the limit.`;
  return scope === "agent"
    ? new AppError(
        429,
        `The answers kept for the person's changes for 24 hours come to ${limit} Try again later.`,
        headers,
      )
    : new AppError(
        429,
        `The answers kept under your idempotency keys for 24 hours come to ${limit} Leave the key out, or try again later.`,
        headers,
      );
};

/** Statuses that take precedence over the 422 for a key that was used for another request (api.md §1). */
const BEFORE_KEY: readonly number[] = [400, 404];

/**
 * Reads the stored answer. A client chooses its keys, so it may use one for two requests; the input of an agent's call never changes.
 * `refusal` is what `prepare` threw.
 */
const readAnswer = <Output>(
  { output }: WriteRequest<Output>,
  key: AnswerKey | undefined,
  stored: StoredAnswer,
  refusal: unknown,
): Output => {
  if (isClaim(stored)) throw new AppError(409, "This call was stopped before it had an effect.");
  if (key?.scope === "action" && stored.requestHash !== key.requestHash) {
    throw refusal instanceof AppError && BEFORE_KEY.includes(refusal.status) ? refusal : otherRequest();
  }
  return output.parse(parseJson(stored.response));
};

/** Where the answer is stored: under the key of the agent's call or under the client's, if there is one. */
const answerKey = async (
  { caller, replayKey }: ActionContext,
  { action, input, idempotencyKey }: WriteRequest<unknown>,
): Promise<AnswerKey | undefined> => {
  const key = replayKey ?? idempotencyKey;
  if (key === undefined) return undefined;
  const scope = replayKey === undefined ? "action" : "agent";
  return { ownerEmail: caller.ownerEmail, scope, key, requestHash: await contentHash([action, input]) };
};
