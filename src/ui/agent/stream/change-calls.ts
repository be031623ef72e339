/** Applies events to tool calls, and to the requests of calls and of the run. */
import type { EventOf } from "../../../contract/transcript.ts";
import type {
  BudgetItem,
  LiveOutput,
  OutputPart,
  PermissionState,
  ToolItem,
  TranscriptItem,
} from "./transcript-item.ts";

/** UTF-16 units kept of one call's output. A build log can be far longer, but nobody reads it in a card. */
const MAX_LIVE_LENGTH = 100_000;

/** How far output may exceed that before it is cut: cutting at each piece would copy all of it each time. */
const SLACK_LENGTH = 25_000;

/** Parts kept of output that switches between streams with each line, for the same reason. */
const MAX_PARTS = 500;

const SLACK_PARTS = 125;

/** The output of a call that has written nothing. */
const NO_OUTPUT: LiveOutput = { parts: [], leftOut: 0 };

/** Appends a piece to the output. */
export const appendOutput = (live: LiveOutput, stream: OutputPart["stream"], text: string): LiveOutput => {
  const last = live.parts.at(-1);
  const parts =
    last?.stream === stream
      ? live.parts.with(-1, { stream, text: last.text + text })
      : [...live.parts, { stream, text }];
  const length = lengthOf(parts);
  if (length > MAX_LIVE_LENGTH + SLACK_LENGTH || parts.length > MAX_PARTS + SLACK_PARTS) {
    const kept = newestOutput(parts, MAX_LIVE_LENGTH);
    return { parts: kept, leftOut: live.leftOut + length - lengthOf(kept) };
  }
  return { parts, leftOut: live.leftOut };
};

const lengthOf = (parts: readonly OutputPart[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

/** The last `maxLength` UTF-16 units of the newest parts, starting at a whole character. */
export const newestOutput = (parts: readonly OutputPart[], maxLength: number): OutputPart[] => {
  const kept: OutputPart[] = [];
  let room = maxLength;
  for (const { stream, text } of parts.slice(-MAX_PARTS).toReversed()) {
    if (room <= 0) break;
    const end = endOf(text, room);
    kept.push({ stream, text: end });
    room -= text.length;
  }
  return kept.reverse();
};

/** The last `room` units, starting at a whole character. */
const endOf = (text: string, room: number): string => {
  if (text.length <= room) return text;
  const end = text.slice(-room);
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
};

/** A call that has started. */
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

/** Searches from the end, as for messages. Returns whether there was such a call. */
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

/** Adds a request to its call. A budget request, whose `toolCallId` names no call, becomes an item of its own. */
export const askOfCall = (items: TranscriptItem[], event: EventOf<"permission_request">): boolean => {
  const { toolCallId, subject } = event;
  const permission = newPermission(event);
  if (subject.type !== "budget") return changeTool(items, toolCallId, (item) => ({ ...item, permission }));
  const { limitUsd, spentUsd } = subject;
  items.push({ type: "budget", key: `budget:${toolCallId}`, toolCallId, limitUsd, spentUsd, permission });
  return true;
};

/** Adds a plan to its call, as what it is: a request that is accepted or rejected. */
export const proposeOfCall = (items: TranscriptItem[], event: EventOf<"plan_proposed">): boolean => {
  const { requestId, toolCallId, markdown, expiresAt } = event;
  const subject = { type: "plan", markdown } as const;
  const shared = { requestId, subject, options: PLAN_OPTIONS, expiresAt, isTruncated: false, reply: undefined };
  const permission = { ...shared, title: "Go ahead with this plan" };
  return changeTool(items, toolCallId, (item) => ({ ...item, permission }));
};

const PLAN_OPTIONS = [
  { decision: "allow_once", label: "Do it" },
  { decision: "reject", label: "Change it" },
] as const;

/** Adds questions to their call. */
export const questionsOfCall = (items: TranscriptItem[], event: EventOf<"question_request">): boolean => {
  const { requestId, toolCallId, questions, expiresAt } = event;
  const question = { requestId, questions, expiresAt, reply: undefined };
  return changeTool(items, toolCallId, (item) => ({ ...item, question }));
};

/** Adds the answers to their questions. */
export const answerOfCall = (
  items: TranscriptItem[],
  { requestId, answers, by }: EventOf<"question_reply">,
): boolean => {
  const index = items.findLastIndex((item) => item.type === "tool" && item.question?.requestId === requestId);
  const item = items[index];
  if (item?.type !== "tool" || item.question === undefined) return false;
  items[index] = { ...item, question: { ...item.question, reply: { answers, by } } };
  return true;
};

/** Adds the reply to its request. */
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

/** A file that a call has changed, as its item keeps it. */
export const newFileChange = ({ path, operation, diff, truncated }: EventOf<"file_change">) => ({
  path,
  operation,
  diff,
  isTruncated: truncated === true,
});
