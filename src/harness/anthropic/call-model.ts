/**
 * One model call with its retries. They are made here and not in the SDK because only the loop can tell the client that what was streamed
 * is discarded, that there is a wait, and that the next try has a new message id.
 */
import type { RunError } from "../../contract/run.ts";
import type { Message } from "../../model/messages.ts";
import type { Model, ModelRequest } from "../../model/model.ts";
import type { ModelFailure } from "../../model/model-failure.ts";
import type { Budget, BudgetStop } from "../budget.ts";
import type { TurnJournal } from "../journal.ts";
import type { ClosedMessage } from "../turn.ts";
import type { MessageBuilder } from "./message-builder.ts";
import { type StreamedTry, streamMessage } from "./stream-message.ts";

/**
 * Waits before the second, third and fourth try where the provider asks for none: together most of a minute, enough for a short outage
 * (decision 0077).
 */
const DELAYS_MS: readonly number[] = [1_000, 8_000, 30_000];

/**
 * Most different requests in one call. Each shortening halves what can be left out, so sixteen are enough. A provider that
 * alternates between "too long" and "refused" would otherwise get the same requests without end.
 */
const MAX_OTHERS = 16;

/** The longest wait that keeps a run alive. When a provider asks for more, there is no further try: the person can decide. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Milliseconds to wait after failed try number `attempt` (from 1), or undefined when there is no further try: the fourth is
 * the last (api.md §3). `random` is in [0, 1) and adds up to a quarter, so that runs do not retry in step.
 */
export const retryDelayMs = (failure: ModelFailure, attempt: number, random: number): number | undefined => {
  const delayMs = DELAYS_MS[attempt - 1];
  if (!failure.isRetryable || delayMs === undefined) return undefined;
  if (failure.retryAfterMs === undefined) return Math.round(delayMs * (1 + random / 4));
  return failure.retryAfterMs <= MAX_RETRY_AFTER_MS ? failure.retryAfterMs : undefined;
};

/** Where a call's requests come from. `current`: the turn's messages so far. */
export type RequestSource = {
  next(current: readonly Message[]): ModelRequest;
  /** A shorter one, after the provider found the last one too long. Undefined when nothing more can be left out. */
  shorter(current: readonly Message[]): Promise<ModelRequest | undefined>;
  /** A plainer one, after the provider refused the last one permanently. Undefined when there is no plainer one. */
  plainer(current: readonly Message[]): ModelRequest | undefined;
  /** The provider has accepted the last one. */
  accept(): Promise<void>;
};

/** What a call needs from outside. Ids, randomness and waiting are passed in, so that a test can control them. */
export type ModelCallDeps = {
  readonly model: Model;
  readonly requests: RequestSource;
  readonly journal: TurnJournal;
  /** Undefined when the turn's spending is not limited. */
  readonly budget?: Budget | undefined;
  readonly newId: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A closed message with the content that goes back to the model. */
export type AnsweredMessage = ClosedMessage & { readonly content: Message["content"] };

/** How a call ended. A message cut short by an abort or by the last failure is already closed in the journal. */
type ModelCallResult =
  | { readonly type: "answered"; readonly message: AnsweredMessage }
  | { readonly type: "aborted" }
  /** The call, or a retry of it, was not made. */
  | { readonly type: "over_budget"; readonly stop: BudgetStop }
  | { readonly type: "failed"; readonly error: RunError };

/**
 * Asks the model, up to four times. When the provider finds the request too long, or refuses the conversation permanently, a different
 * request is sent at once; that does not count as a retry. A request that may have been cut on its way is first sent once more, unchanged.
 */
export const callModel = async (
  step: number,
  current: readonly Message[],
  deps: ModelCallDeps,
  signal: AbortSignal,
): Promise<ModelCallResult> => {
  let request = deps.requests.next(current);
  let others = 0;
  let wasUnclear = false;
  for (let attempt = 1; ; ) {
    const stop = deps.budget?.before(request);
    if (stop !== undefined) return { type: "over_budget", stop };
    const messageId = deps.newId();
    const call = { model: deps.model, request, messageId, step, accept: () => deps.requests.accept() };
    const streamed = await streamMessage(call, deps.journal, signal);
    const closed = closedMessage(streamed.builder, messageId, step);
    if (streamed.end === "complete") return { type: "answered", message: closed(streamed.builder.stopReason) };
    if (streamed.end === "aborted") {
      if (streamed.isOpen) await deps.journal.closeMessage(closed("aborted"), []);
      return { type: "aborted" };
    }
    const failure = streamed.end;
    const again = failure.isUnclear && !wasUnclear && !streamed.isOpen ? request : undefined;
    wasUnclear ||= failure.isUnclear;
    const other =
      again ?? (others < MAX_OTHERS ? await otherRequest(failure, streamed.isOpen, current, deps.requests) : undefined);
    const delayMs = other === undefined ? retryDelayMs(failure, attempt, deps.random()) : 0;
    if (delayMs === undefined) return await giveUp(failure, streamed, closed, deps.journal);
    if (streamed.isOpen) await deps.journal.discardMessage(messageId, streamed.builder.usage);
    if (other !== undefined) {
      request = other;
      others += 1;
      continue;
    }
    await deps.journal.modelRetry({ attempt, delayMs, reason: failure.code });
    await deps.wait(delayMs, signal);
    if (signal.aborted) return { type: "aborted" };
    attempt += 1;
  }
};

/**
 * A different request that may avoid this failure. Once the provider has begun to answer (`isOpen`), it does not refuse the
 * conversation but perhaps what it was about to say, and would refuse plainer requests in the same way, without end.
 */
const otherRequest = async (
  failure: ModelFailure,
  isOpen: boolean,
  current: readonly Message[],
  requests: RequestSource,
): Promise<ModelRequest | undefined> => {
  if (failure.code === "context_too_long") return await requests.shorter(current);
  return failure.mayBeConversation && !isOpen ? requests.plainer(current) : undefined;
};

/** The last try failed: what it streamed is kept and closed as an error. */
const giveUp = async (
  failure: ModelFailure,
  streamed: StreamedTry,
  closed: (stopReason: string) => AnsweredMessage,
  journal: TurnJournal,
): Promise<ModelCallResult> => {
  if (streamed.isOpen) await journal.closeMessage(closed("error"), []);
  return { type: "failed", error: { code: failure.code, message: failure.message } };
};

/** A message that was cut short keeps its text and thinking; its calls are dropped. */
const closedMessage =
  (builder: MessageBuilder, messageId: string, step: number) =>
  (stopReason: string): AnsweredMessage => ({
    messageId,
    step,
    content: stopReason === "aborted" || stopReason === "error" ? builder.contentWithoutCalls() : builder.content(),
    text: builder.text,
    stopReason,
    usage: builder.usage,
    ...(builder.isFull && { isCut: true }),
  });
