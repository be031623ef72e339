/** Applies events to the list of items. The list is mutated; items are replaced, never mutated. */
import type { EventOf, NumberedEvent } from "../../../contract/transcript.ts";
import {
  answerOfCall,
  appendOutput,
  askOfCall,
  changeTool,
  newFileChange,
  newTool,
  proposeOfCall,
  questionsOfCall,
  replyToCall,
} from "./change-calls.ts";
import { addRetry, settleRetry } from "./change-retries.ts";
import type { MessageItem, SteerItem, TranscriptItem, UserItem } from "./transcript-item.ts";
import type { TranscriptState } from "./transcript-state.ts";

/** Applies the event to `items`. `before` is the state before it. Returns whether the list has changed. */
export const changeItems = (items: TranscriptItem[], event: NumberedEvent, before: TranscriptState): boolean => {
  const hasWoken = settleRetry(items, event);
  const hasChanged = applyToItems(items, event, before);
  return hasWoken || hasChanged;
};

const applyToItems = (items: TranscriptItem[], event: NumberedEvent, before: TranscriptState): boolean => {
  switch (event.type) {
    case "user_message":
      return placeUserMessage(items, event);
    case "steer_message": {
      const { messageId, text } = event;
      return add(items, { type: "steer", key: `steer:${messageId}`, messageId, text, state: "waiting" });
    }
    case "steer_applied":
      return settleSteer(items, event.messageId, "given");
    case "steer_dropped":
      return settleSteer(items, event.messageId, "unused");
    case "run_start":
      return noteAttempt(items, event, before);
    case "context_added":
      return add(items, {
        type: "context",
        key: `context:${event.seq}`,
        source: event.source,
        path: event.path,
      });
    case "context_compacted": {
      const { summary, tokensBefore, tokensAfter } = event;
      return add(items, { type: "summary", key: `summary:${event.seq}`, summary, tokensBefore, tokensAfter });
    }
    case "context_reset":
      return add(items, { type: "reset", key: `reset:${event.seq}`, reason: event.reason });
    case "message_start":
      return add(items, newMessage(event));
    case "text_delta":
      return changeMessage(items, event.messageId, (item) => ({ ...item, text: item.text + event.text }));
    case "thinking_delta":
      return changeMessage(items, event.messageId, (item) => ({ ...item, thinking: item.thinking + event.text }));
    case "message_end": {
      const { text, stopReason } = event;
      return changeMessage(items, event.messageId, (item) => ({ ...item, text, stopReason, isOpen: false }));
    }
    case "message_discard":
      return discardMessage(items, event.messageId);
    case "tool_start":
      return add(items, newTool(event));
    case "permission_request":
      return askOfCall(items, event);
    case "permission_reply":
      return replyToCall(items, event);
    case "plan_proposed":
      return proposeOfCall(items, event);
    case "question_request":
      return questionsOfCall(items, event);
    case "question_reply":
      return answerOfCall(items, event);
    case "tool_output":
      return changeTool(items, event.toolCallId, (item) => ({
        ...item,
        live: appendOutput(item.live, event.stream, event.text),
        isOutputTruncated: item.isOutputTruncated || event.truncated === true,
      }));
    case "file_change":
      return changeTool(items, event.toolCallId, (item) => ({
        ...item,
        fileChanges: [...item.fileChanges, newFileChange(event)],
      }));
    case "tool_end":
      return changeTool(items, event.toolCallId, (item) => ({
        ...item,
        status: event.status,
        output: event.output,
        isOutputTruncated: event.truncated,
        durationMs: event.durationMs,
      }));
    case "model_retry":
      return addRetry(items, event);
    default:
      return false;
  }
};

const add = (items: TranscriptItem[], item: TranscriptItem): boolean => {
  items.push(item);
  return true;
};

/** Replaces the prompt as it was sent, keeping its text when the event's is cut. */
const placeUserMessage = (items: TranscriptItem[], event: EventOf<"user_message">): boolean => {
  const index = items.findIndex((item) => item.type === "user");
  const sent = items[index];
  const isCut = event.truncated === true;
  if (sent?.type === "user" && (isCut || sent.text === event.text)) return false;
  const item: UserItem = { type: "user", key: "user", text: event.text, isTruncated: isCut };
  items.splice(Math.max(index, 0), sent === undefined ? 0 : 1, item);
  return true;
};

/** Moves the message to the end: right before the answer that reads it or, if it was never used, after everything. */
const settleSteer = (items: TranscriptItem[], messageId: string, state: SteerItem["state"]): boolean => {
  const index = items.findLastIndex((item) => item.type === "steer" && item.messageId === messageId);
  const [item] = index < 0 ? [] : items.splice(index, 1);
  if (item?.type === "steer") items.push({ ...item, state });
  return index >= 0;
};

const noteAttempt = (
  items: TranscriptItem[],
  { attempt, mode, workspaceDir, seq, at }: EventOf<"run_start"> & { seq: number; at: string },
  before: TranscriptState,
): boolean => {
  const isRestart = attempt > 1;
  if (isRestart) items.push({ type: "restart", key: `restart:${seq}`, attempt, at });
  const isPlan = attempt === 1 && mode === "plan";
  if (isPlan) items.push({ type: "context", key: "mode", source: "plan", path: undefined });
  const from = before.workspaceDir;
  const isMoved = from !== undefined && from !== workspaceDir;
  if (isMoved) items.push({ type: "workspace", key: `workspace:${seq}`, from, to: workspaceDir, at });
  return isRestart || isPlan || isMoved;
};

const newMessage = ({ messageId, step }: EventOf<"message_start">): MessageItem => ({
  type: "message",
  key: `message:${messageId}`,
  messageId,
  step,
  text: "",
  thinking: "",
  isOpen: true,
  stopReason: undefined,
});

/** Searches from the end, because what changes is nearly always among the newest. */
const changeMessage = (
  items: TranscriptItem[],
  messageId: string,
  change: (item: MessageItem) => MessageItem,
): boolean => {
  const index = items.findLastIndex((item) => item.type === "message" && item.messageId === messageId);
  const item = items[index];
  if (item?.type !== "message") return false;
  items[index] = change(item);
  return true;
};

const discardMessage = (items: TranscriptItem[], messageId: string): boolean => {
  const index = items.findLastIndex((item) => item.type === "message" && item.messageId === messageId);
  if (index >= 0) items.splice(index, 1);
  return index >= 0;
};
