/**
 * One model call with its retries. They live here and not in the SDK because only the loop can tell the client: what was
 * streamed is discarded, the wait is announced, and the next try has a new message id.
 */
import type { RunError } from "../contract/run.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import type { ModelFailure } from "../model/model-failure.ts";
import type { TurnJournal } from "./journal.ts";
import type { MessageBuilder } from "./message-builder.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { type StreamedMessage, streamMessage } from "./stream-message.ts";
import type { ClosedMessage } from "./turn.ts";

/** What a call needs from outside. Ids, chance and waiting come in, so that a test can hold them. */
export type ModelCallDeps = {
  readonly model: Model;
  readonly journal: TurnJournal;
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
  | { readonly type: "failed"; readonly error: RunError };

/**
 * Asks the model, up to four times. `requestFor(isShortened)` builds the request; it is asked for a shorter one, once,
 * when the provider finds the prompt too long.
 */
export const callModel = async (
  step: number,
  requestFor: (isShortened: boolean) => ModelRequest,
  deps: ModelCallDeps,
  signal: AbortSignal,
): Promise<ModelCallResult> => {
  let isShortened = false;
  for (let attempt = 1; ; attempt += 1) {
    const messageId = deps.newId();
    const call = { model: deps.model, request: requestFor(isShortened), messageId, step };
    const streamed = await streamMessage(call, deps.journal, signal);
    const closed = closedMessage(streamed.builder, messageId, step);
    if (streamed.end === "complete") return { type: "answered", message: closed(streamed.builder.stopReason) };
    if (streamed.end === "aborted") {
      if (streamed.isOpen) await deps.journal.closeMessage(closed("aborted"), []);
      return { type: "aborted" };
    }
    const failure = streamed.end;
    const isTooLong = failure.code === "context_too_long" && !isShortened;
    const delayMs = isTooLong ? 0 : retryDelayMs(failure, attempt, deps.random());
    if (delayMs === undefined) return await giveUp(failure, streamed, closed, deps.journal);
    if (streamed.isOpen) await deps.journal.discardMessage(messageId);
    if (isTooLong) {
      isShortened = true;
      attempt -= 1;
      continue;
    }
    await deps.journal.modelRetry({ attempt, delayMs, reason: failure.code });
    await deps.wait(delayMs, signal);
    if (signal.aborted) return { type: "aborted" };
  }
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
