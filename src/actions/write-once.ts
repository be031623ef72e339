/** The one way stocks are written: read, make up the change, commit it whole; and once only under a key. */
import type { z } from "zod";
import { AppError } from "../contract/app-error.ts";
import { commitStocks } from "../db/commit-stocks.ts";
import { type AnswerKey, findAnswer, isClaim, type StoredAnswer } from "../db/idempotency.ts";
import { contentHash } from "./content-hash.ts";
import type { ActionContext } from "./define-action.ts";
import { type StockChange, toMutation } from "./stock-change.ts";
import { startAttempt, type WriteMoment } from "./write-moment.ts";

/** Attempts at one write. Each lost one means that another write of the same owner went through. */
const MAX_ATTEMPTS = 32;

/** A request to write. `input` is what tells it from others under the same key. */
export type WriteRequest<Output> = {
  readonly action: string;
  readonly input: unknown;
  readonly idempotencyKey: string | undefined;
  readonly output: z.ZodType<Output>;
};

/** What a write would do to the stocks as they are now, and what it would answer. */
export type WritePlan<Output> = { readonly changes: readonly StockChange[]; readonly answer: Output };

/**
 * Answers a write. `plan` reads and decides; it refuses by throwing, and is asked again when another write came first.
 * @throws {AppError} 422 when the key was used for another request; 409 when other writes keep coming first, or when the call
 * was stopped.
 */
export const writeOnce = async <Output>(
  ctx: ActionContext,
  request: WriteRequest<Output>,
  plan: (moment: WriteMoment) => Promise<WritePlan<Output>>,
): Promise<Output> => {
  const key = await answerKey(ctx, request);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const moment = startAttempt(ctx);
    const [planned] = await Promise.allSettled([plan(moment)]);
    // After the plan has read: what it refuses may be the work of this very request, sent twice at once.
    const stored = key && (await findAnswer(ctx.db, key, ctx.nowMs()));
    if (stored !== undefined) return readAnswer(request, key, stored);
    if (planned.status === "rejected") throw planned.reason;
    const { changes, answer } = planned.value;
    const filed = key && { key, response: JSON.stringify(answer) };
    if (await commitStocks(ctx.db, toMutation(moment, changes, filed))) return answer;
  }
  throw new AppError(409, "Your list is being changed by others. Try again.");
};

/** A client chooses its keys and can choose one twice; the input of an agent's call is fixed. */
const readAnswer = <Output>(
  { output }: WriteRequest<Output>,
  key: AnswerKey | undefined,
  stored: StoredAnswer,
): Output => {
  if (isClaim(stored)) throw new AppError(409, "This call was stopped before it had an effect.");
  if (key?.scope === "action" && stored.requestHash !== key.requestHash) {
    throw new AppError(422, "Idempotency key was used with a different request.");
  }
  return output.parse(JSON.parse(stored.response));
};

/** Where the answer is filed: under the key of the agent's call, or under the client's, if there is either. */
const answerKey = async (
  { caller, replayKey }: ActionContext,
  { action, input, idempotencyKey }: WriteRequest<unknown>,
): Promise<AnswerKey | undefined> => {
  const key = replayKey ?? idempotencyKey;
  if (key === undefined) return undefined;
  const scope = replayKey === undefined ? "action" : "agent";
  return { ownerEmail: caller.ownerEmail, scope, key, requestHash: await contentHash([action, input]) };
};
