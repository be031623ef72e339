/**
 * One model call with its retries. They live here and not in the SDK because only the loop can tell the client: what was
 * streamed is discarded, the wait is announced, and the next try has a new message id.
 */
import type { RunError } from "../contract/run.ts";
import type { Message } from "../model/messages.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import type { ModelFailure } from "../model/model-failure.ts";
import type { Budget, BudgetStop } from "./budget.ts";
import type { TurnJournal } from "./journal.ts";
import type { MessageBuilder } from "./message-builder.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { type StreamedMessage, streamMessage } from "./stream-message.ts";
import type { ClosedMessage } from "./turn.ts";

/** Where a call's requests come from. `current`: the turn's messages so far. */
export type RequestSource = {
  next(current: readonly Message[]): ModelRequest;
  /** A shorter one, after the provider found the last too long; undefined when nothing more can be left out. */
  shorter(current: readonly Message[]): Promise<ModelRequest | undefined>;
  /** A plainer one, after the provider refused the last for good; undefined when there is none. */
  plainer(current: readonly Message[]): ModelRequest | undefined;
  /** The provider has taken the last one. */
  accept(): Promise<void>;
};

/** What a call needs from outside. Ids, chance and waiting come in, so that a test can hold them. */
export type ModelCallDeps = {
  readonly model: Model;
  readonly requests: RequestSource;
  readonly journal: TurnJournal;
  /** Undefined where the turn may spend what it takes. */
  readonly budget?: Budget | undefined;
  readonly newId: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** How a call ended. A message that the abort or the last failure cut is already closed in the journal. */
export type ModelCallResult =
  | { readonly type: "answered"; readonly message: ClosedMessage }
  | { readonly type: "aborted" }
  /** The call, or a further try, was not made. */
  | { readonly type: "over_budget"; readonly stop: BudgetStop }
  | { readonly type: "failed"; readonly error: RunError };

/**
 * Asks the model, up to four times. When the provider finds the request too long, or refuses the conversation for good, another
 * request is asked at once; that is no retry.
 */
export const callModel = async (
  step: number,
  current: readonly Message[],
  deps: ModelCallDeps,
  signal: AbortSignal,
): Promise<ModelCallResult> => {
  let request = deps.requests.next(current);
  let wasTooLong = false;
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
    const isTooLong = failure.code === "context_too_long";
    // Where nothing can be left out it is asked once as it is: it may have been something on the way that found it too long.
    const again = isTooLong && !wasTooLong ? request : undefined;
    wasTooLong ||= isTooLong;
    const other = (await otherRequest(failure, current, deps.requests)) ?? again;
    const delayMs = other === undefined ? retryDelayMs(failure, attempt, deps.random()) : 0;
    if (delayMs === undefined) return await giveUp(failure, streamed, closed, deps.journal);
    if (streamed.isOpen) await deps.journal.discardMessage(messageId, streamed.builder.usage);
    if (other !== undefined) {
      request = other;
      continue;
    }
    await deps.journal.modelRetry({ attempt, delayMs, reason: failure.code });
    await deps.wait(delayMs, signal);
    if (signal.aborted) return { type: "aborted" };
    attempt += 1;
  }
};

/** A request that this failure does not speak against. */
const otherRequest = async (
  failure: ModelFailure,
  current: readonly Message[],
  requests: RequestSource,
): Promise<ModelRequest | undefined> => {
  if (failure.code === "context_too_long") return await requests.shorter(current);
  return failure.mayBeConversation ? requests.plainer(current) : undefined;
};

/** The last try failed: what it streamed stays, closed as an error. */
const giveUp = async (
  failure: ModelFailure,
  streamed: StreamedMessage,
  closed: (stopReason: string) => ClosedMessage,
  journal: TurnJournal,
): Promise<ModelCallResult> => {
  if (streamed.isOpen) await journal.closeMessage(closed("error"), []);
  return { type: "failed", error: { code: failure.code, message: failure.message } };
};

/** A message that was cut keeps its text and thinking; its calls are nobody's any more. */
const closedMessage =
  (builder: MessageBuilder, messageId: string, step: number) =>
  (stopReason: string): ClosedMessage => ({
    messageId,
    step,
    content: stopReason === "aborted" || stopReason === "error" ? builder.contentWithoutCalls() : builder.content(),
    text: builder.text,
    stopReason,
    usage: builder.usage,
  });
