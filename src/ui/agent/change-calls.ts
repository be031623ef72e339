/** What an event does to the calls of a list, and to what they or the run ask for. */
import type { EventOf } from "../../contract/transcript.ts";
import { NO_OUTPUT } from "./live-output.ts";
import type { BudgetItem, PermissionState, ToolItem, TranscriptItem } from "./transcript-item.ts";

/** A call that has begun. */
export const newTool = (event: EventOf<"tool_start"> & { at: string }): ToolItem => ({
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

/** Searched from the end, like messages. Answers whether there was such a call. */
export const changeTool = (
  items: TranscriptItem[],
  toolCallId: string,
  change: (item: ToolItem) => ToolItem,
): boolean => {
  const index = items.findLastIndex((item) => item.type === "tool" && item.toolCallId === toolCallId);
  const item = items[index];
  if (item?.type !== "tool") return false;
  items[index] = change(item);
  return true;
};

/** Puts a request on its call. That of a budget belongs to none and stands by itself. */
export const askOfCall = (items: TranscriptItem[], event: EventOf<"permission_request">): boolean => {
  const { toolCallId, subject } = event;
  const permission = newPermission(event);
  if (subject.type !== "budget") return changeTool(items, toolCallId, (item) => ({ ...item, permission }));
  const { limitUsd, spentUsd } = subject;
  items.push({ type: "budget", key: `budget:${toolCallId}`, toolCallId, limitUsd, spentUsd, permission });
  return true;
};

/** Puts the reply on its request. */
export const replyToCall = (items: TranscriptItem[], event: EventOf<"permission_reply">): boolean => {
  const { toolCallId, requestId, decision, by, message } = event;
  const index = items.findLastIndex((item) => canAsk(item) && item.toolCallId === toolCallId);
  const item = items[index];
  if (!canAsk(item) || item.permission?.requestId !== requestId) return false;
  items[index] = { ...item, permission: { ...item.permission, reply: { decision, by, message } } };
  return true;
};

const canAsk = (item: TranscriptItem | undefined): item is ToolItem | BudgetItem =>
  item?.type === "tool" || item?.type === "budget";

const newPermission = (event: EventOf<"permission_request">): PermissionState => ({
  requestId: event.requestId,
  title: event.title,
  subject: event.subject,
  options: event.options,
  expiresAt: event.expiresAt,
  isTruncated: event.truncated === true || event.subject.truncated === true,
  reply: undefined,
});

/** A file that a call changed. */
export const newFileChange = ({ path, operation, diff, truncated }: EventOf<"file_change">) => ({
  path,
  operation,
  diff,
  isTruncated: truncated === true,
});
