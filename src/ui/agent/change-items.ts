/** What an event does to the list of items. Works on a list of its own; items themselves are replaced, never changed. */
import type { EventOf, NumberedEvent } from "../../contract/transcript.ts";
import { appendOutput, NO_OUTPUT } from "./live-output.ts";
import type {
  MessageItem,
  PermissionState,
  ToolItem,
  TranscriptItem,
  TranscriptState,
  UserItem,
} from "./transcript-state.ts";

/** Applies the event to `items`. `before` is the run as it was. Answers whether the list is now another. */
export const changeItems = (items: TranscriptItem[], event: NumberedEvent, before: TranscriptState): boolean => {
  const hasWoken = wakeRetry(items, event);
  const hasChanged = applyToItems(items, event, before);
  return hasWoken || hasChanged;
};

const applyToItems = (items: TranscriptItem[], event: NumberedEvent, before: TranscriptState): boolean => {
  switch (event.type) {
    case "user_message":
      return placeUserMessage(items, event);
    case "run_start":
      return noteAttempt(items, event, before);
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
      return changeTool(items, event.toolCallId, (item) => ({ ...item, permission: newPermission(event) }));
    case "permission_reply":
      return changeTool(items, event.toolCallId, (item) => replied(item, event));
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
    case "model_retry": {
      const { type: _, seq, ...retry } = event;
      return add(items, { type: "retry", key: `retry:${seq}`, ...retry, isWaiting: true });
    }
    default:
      return false;
  }
};

const add = (items: TranscriptItem[], item: TranscriptItem): boolean => {
  items.push(item);
  return true;
};

/** Takes the place of the prompt as it was sent, and keeps its text where the event's is a cut one. */
const placeUserMessage = (items: TranscriptItem[], event: EventOf<"user_message">): boolean => {
  const index = items.findIndex((item) => item.type === "user");
  const sent = items[index];
  const isCut = event.truncated === true;
  if (sent?.type === "user" && (isCut || sent.text === event.text)) return false;
  const item: UserItem = { type: "user", key: "user", text: event.text, isTruncated: isCut };
  items.splice(Math.max(index, 0), sent === undefined ? 0 : 1, item);
  return true;
};

const noteAttempt = (
  items: TranscriptItem[],
  { attempt, workspaceDir, seq, at }: EventOf<"run_start"> & { seq: number; at: string },
  before: TranscriptState,
): boolean => {
  const isRestart = attempt > 1;
  if (isRestart) items.push({ type: "restart", key: `restart:${seq}`, attempt, at });
  const from = before.workspaceDir;
  const isMoved = from !== undefined && from !== workspaceDir;
  if (isMoved) items.push({ type: "workspace", key: `workspace:${seq}`, from, to: workspaceDir, at });
  return isRestart || isMoved;
};

/** Kinds with which the wait after a `model_retry` is over. */
const ENDS_WAIT: ReadonlySet<string> = new Set(["message_start", "run_start", "run_status", "run_end"]);

const wakeRetry = (items: TranscriptItem[], event: NumberedEvent): boolean => {
  if (!ENDS_WAIT.has(event.type)) return false;
  const index = items.findLastIndex((item) => item.type === "retry");
  const item = items[index];
  if (item?.type !== "retry" || !item.isWaiting) return false;
  items[index] = { ...item, isWaiting: false };
  return true;
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

/** Searched from the end: what changes is nearly always among the newest. */
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

const newTool = (event: EventOf<"tool_start"> & { at: string }): ToolItem => ({
  type: "tool",
  key: `tool:${event.toolCallId}`,
  toolCallId: event.toolCallId,
  messageId: event.messageId,
  tool: event.tool,
  kind: event.kind,
  title: event.title,
  input: event.input,
  isInputTruncated: event.truncated === true,
  status: "running",
  live: NO_OUTPUT,
  output: undefined,
  isOutputTruncated: false,
  fileChanges: [],
  permission: undefined,
  startedAt: event.at,
  durationMs: undefined,
});

const changeTool = (items: TranscriptItem[], toolCallId: string, change: (item: ToolItem) => ToolItem): boolean => {
  const index = items.findLastIndex((item) => item.type === "tool" && item.toolCallId === toolCallId);
  const item = items[index];
  if (item?.type !== "tool") return false;
  items[index] = change(item);
  return true;
};

const newPermission = (event: EventOf<"permission_request">): PermissionState => ({
  requestId: event.requestId,
  title: event.title,
  subject: event.subject,
  options: event.options,
  expiresAt: event.expiresAt,
  isTruncated: event.truncated === true || event.subject.truncated === true,
  reply: undefined,
});

const replied = (item: ToolItem, { requestId, decision, by, message }: EventOf<"permission_reply">): ToolItem =>
  item.permission?.requestId === requestId
    ? { ...item, permission: { ...item.permission, reply: { decision, by, message } } }
    : item;

const newFileChange = ({ path, operation, diff, truncated }: EventOf<"file_change">) => ({
  path,
  operation,
  diff,
  isTruncated: truncated === true,
});
