/** Makes events from what is stored, cut to fit their frame. */
import type { PermissionSubject } from "../../contract/permission.ts";
import { cutText } from "../../contract/plain-text.ts";
import { TranscriptEvent } from "../../contract/transcript.ts";
import type { FileChange } from "../../harness/tools/tool.ts";
import type { CallResult, ToolCall } from "../../harness/turn.ts";
import type { RunSpec } from "../run-spec.ts";
import { isQuestion, type PersonReply, type PersonRequest } from "./stored-request.ts";

/** Largest JSON of an event, in bytes: 64 KB minus what `id:`, `seq` and `at` add. */
const MAX_EVENT_BYTES = 65_536 - 256;

/** Kinds that are cut. The others are always short, or, like `message_end`, must be whole. */
const CUT_KINDS: ReadonlySet<TranscriptEvent["type"]> = new Set([
  "tool_start",
  "tool_output",
  "tool_end",
  "file_change",
  "permission_request",
  "user_message",
  "steer_message",
]);

/** Shortest length that strings are cut to. If that does not help, there are too many of them. */
const MIN_STRING_LENGTH = 16;

/**
 * The event as it is sent, and whether anything of it was cut. Frames stay under 64 KB: long strings are cut, and
 * `truncated: true` is set next to each that was (api.md §3).
 */
export const fitEvent = (event: TranscriptEvent): { event: TranscriptEvent; isCut: boolean } => {
  if (!CUT_KINDS.has(event.type) || fits(event)) return { event, isCut: false };
  for (let limit = MAX_EVENT_BYTES; limit >= MIN_STRING_LENGTH; limit = Math.floor(limit / 2)) {
    const cut = cutParts(event, limit);
    if (fits(cut)) return { event: TranscriptEvent.parse(cut), isCut: true };
  }
  return { event: withoutParts(event), isCut: true };
};

const encoder = new TextEncoder();

const fits = (value: unknown): boolean => encoder.encode(JSON.stringify(value)).byteLength <= MAX_EVENT_BYTES;

/** Cuts each string to `limit` units and marks the nearest object that contains it. */
const cutStrings = (value: unknown, limit: number, mark = () => {}): unknown => {
  if (typeof value === "string" && value.length > limit) {
    mark();
    return cutText(value, limit);
  }
  if (Array.isArray(value)) return value.map((part) => cutStrings(part, limit, mark));
  if (typeof value !== "object" || value === null) return value;
  let isMarked = false;
  const markThis = () => {
    isMarked = true;
  };
  const entries = Object.entries(value).map(([key, part]) => [key, cutStrings(part, limit, markThis)]);
  return { ...Object.fromEntries(entries), ...(isMarked ? { truncated: true } : {}) };
};

/** Fields that can be long; all others are ids, kinds and times, and are kept whole. */
const LONG_FIELDS: ReadonlySet<string> = new Set(["text", "input", "subject", "output", "diff", "path", "title"]);

/** A request is also marked in its subject, however deep the cut is: nobody agrees to what they were not shown. */
const cutParts = (event: TranscriptEvent, limit: number): unknown => {
  const fields = Object.entries(event);
  const long = Object.fromEntries(fields.filter(([key]) => LONG_FIELDS.has(key)));
  const cut = { ...event, ...Object(cutStrings(long, limit)) };
  return event.type === "permission_request" ? { ...cut, subject: { ...cut.subject, truncated: true } } : cut;
};

/** For an event with too many parts rather than too long ones: drops the nested part and keeps the event's short fields. */
const withoutParts = (event: TranscriptEvent): TranscriptEvent => {
  const emptied =
    event.type === "permission_request"
      ? { ...event, subject: { type: "action", name: event.tool, input: {}, truncated: true } }
      : { ...event, input: {}, truncated: true };
  return TranscriptEvent.parse(emptied);
};

/** `user_message`: the prompt, so that a replay and a second client are complete. */
export const userMessageEvent = (spec: RunSpec, messageId: string): TranscriptEvent =>
  fitEvent({ type: "user_message", messageId, text: spec.prompt }).event;

/** `steer_message`: what the person says while the run works. */
export const steerMessageEvent = (message: { readonly messageId: string; readonly text: string }): TranscriptEvent =>
  fitEvent({ type: "steer_message", messageId: message.messageId, text: message.text }).event;

/** `tool_start`. */
export const callStartEvent = ({ toolCallId, messageId, tool, kind, title, input }: ToolCall): TranscriptEvent =>
  fitEvent({ type: "tool_start", toolCallId, messageId, tool, kind, title, input }).event;

/** `file_change`. */
export const fileChangeEvent = (toolCallId: string, change: FileChange): TranscriptEvent =>
  fitEvent({ type: "file_change", toolCallId, ...change }).event;

/** `tool_end`. `durationMs` counts from the call's last change: its start if it ran, the question if it waited. */
export const callEndEvent = (toolCallId: string, result: CallResult, durationMs: number): TranscriptEvent =>
  fitEvent({
    type: "tool_end",
    toolCallId,
    status: result.status,
    output: result.output,
    truncated: false,
    durationMs: Math.max(0, durationMs),
  }).event;

/** The event that asks, as it is sent; the request's own route returns the whole subject. Questions and plans are never cut. */
export const requestEvent = (asked: PersonRequest): TranscriptEvent => {
  const { requestId, toolCallId, expiresAt } = asked;
  if (isQuestion(asked)) {
    return { type: "question_request", requestId, toolCallId, questions: asked.questions, expiresAt };
  }
  const { rule: _, basis: __, reply: ___, askedAtMs: ____, ...request } = asked;
  const { subject } = request;
  if (subject.type === "plan") {
    return { type: "plan_proposed", requestId, toolCallId, markdown: subject.markdown, expiresAt };
  }
  return fitEvent({ type: "permission_request", ...request }).event;
};

/** The event that says how a request was resolved. */
export const replyEvent = (
  { requestId, toolCallId }: Pick<PersonRequest, "requestId" | "toolCallId">,
  reply: PersonReply,
): TranscriptEvent =>
  "answers" in reply
    ? { type: "question_reply", requestId, answers: reply.answers, by: reply.by }
    : { type: "permission_reply", requestId, toolCallId, ...reply };

/** Bytes of an event besides its subject and its label: ids, title, the other options, expiry. */
const REQUEST_OVERHEAD_BYTES = 4_096;

/** Whether a subject will not fit into its event whole: then it cannot be allowed always. */
export const isSubjectCut = (subject: PermissionSubject): boolean =>
  // Doubled, because the label of "always" repeats a command.
  2 * new TextEncoder().encode(JSON.stringify(subject)).byteLength > MAX_EVENT_BYTES - REQUEST_OVERHEAD_BYTES;
