/** One try of one model call: streams the message into the journal until it is complete, cut, or stopped. */
import type { ContentBlock, Message } from "../../model/messages.ts";
import type { Model, ModelRequest } from "../../model/model.ts";
import { type ModelEvent, outputOf } from "../../model/model-event.ts";
import { ModelFailure } from "../../model/model-failure.ts";
import type { TurnJournal } from "../journal.ts";
import { MessageBuilder } from "./message-builder.ts";

/**
 * Whether each call of a message has an id that is used neither elsewhere in the message nor in the conversation before it.
 * The API permanently refuses a conversation in which a call id occurs twice.
 */
export const hasFreshCallIds = (content: readonly ContentBlock[], before: readonly Message[]): boolean => {
  const ids = callIdsOf(content);
  const used = new Set(before.flatMap((message) => callIdsOf(message.content)));
  return new Set(ids).size === ids.length && ids.every((id) => !used.has(id));
};

const callIdsOf = (content: readonly ContentBlock[]): string[] =>
  content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));

/** How a try ended. `isOpen`: `message_start` was sent, so the caller must close or discard the message. */
export type StreamedTry = {
  readonly builder: MessageBuilder;
  readonly isOpen: boolean;
  readonly end: "complete" | "aborted" | ModelFailure;
};

/** One try. `accept` is called when the provider starts to answer, before any client sees the answer. */
type ModelCall = {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly messageId: string;
  readonly step: number;
  readonly accept: () => Promise<void>;
};

/** Streams one try. Never throws for anything the model does; a journal's `Superseded` passes through. */
export const streamMessage = async (
  call: ModelCall,
  journal: TurnJournal,
  signal: AbortSignal,
): Promise<StreamedTry> => {
  const builder = new MessageBuilder();
  let isOpen = false;
  const ended = (end: StreamedTry["end"]): StreamedTry => ({ builder, isOpen, end });
  try {
    for await (const event of call.model.stream(call.request, signal)) {
      if (signal.aborted) return ended("aborted");
      builder.add(event);
      if (!isOpen) {
        await acceptOrCount(call, builder, journal);
        isOpen = true;
        await journal.openMessage({ messageId: call.messageId, step: call.step }, builder.usage);
      }
      if (builder.isFull) break;
      journal.countOutput(call.messageId, outputOf(event));
      emitDelta(journal, call.messageId, event);
      if (builder.isComplete) break;
    }
    if (signal.aborted) return ended("aborted");
    if (!builder.isComplete && !builder.isFull) throw cutStream();
    if (!hasFreshCallIds(builder.content(), call.request.messages)) throw usedCallId();
    return ended("complete");
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return ended(signal.aborted ? "aborted" : error);
  }
};

/** Takes the answer as accepted. If that fails, what the provider has read so far is still paid for. */
const acceptOrCount = async (call: ModelCall, { usage }: MessageBuilder, journal: TurnJournal): Promise<void> => {
  try {
    await call.accept();
  } catch (error) {
    await journal.openMessage({ messageId: call.messageId, step: call.step }, usage);
    await journal.discardMessage(call.messageId, usage);
    throw error;
  }
};

const emitDelta = (journal: TurnJournal, messageId: string, event: ModelEvent): void => {
  if (event.type === "content_block_start" && event.content_block.type === "text") {
    journal.textDelta(messageId, event.content_block.text);
  } else if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
    journal.textDelta(messageId, event.delta.text);
  } else if (event.type === "content_block_delta" && event.delta.type === "thinking_delta") {
    journal.thinkingDelta(messageId, event.delta.thinking);
  }
};

const usedCallId = (): ModelFailure =>
  new ModelFailure("model_unavailable", "The model gave two calls the same id.", { isRetryable: true });

const cutStream = (): ModelFailure =>
  new ModelFailure("model_unavailable", "The model's answer was cut off.", { isRetryable: true });
