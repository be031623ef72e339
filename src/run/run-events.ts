/** Events made from what is stored, cut to their frame's size. */
import type { PermissionSubject } from "../contract/permission.ts";
import type { TranscriptEvent } from "../contract/transcript.ts";
import type { FileChange } from "../harness/tools/tool.ts";
import type { CallResult, ToolCall } from "../harness/turn.ts";
import { fitEvent, MAX_EVENT_BYTES } from "./fit-event.ts";
import type { PermissionRequest } from "./request-store.ts";
import type { RunSpec } from "./run-spec.ts";

/** `user_message`: the prompt, so that a replay and a second client are whole. */
export const userMessageEvent = (spec: RunSpec, messageId: string): TranscriptEvent =>
  fitEvent({ type: "user_message", messageId, text: spec.prompt }).event;

/** `tool_start`. */
export const callStartEvent = ({ toolCallId, messageId, tool, kind, title, input }: ToolCall): TranscriptEvent =>
  fitEvent({ type: "tool_start", toolCallId, messageId, tool, kind, title, input }).event;

/** `file_change`. */
export const fileChangeEvent = (toolCallId: string, change: FileChange): TranscriptEvent =>
  fitEvent({ type: "file_change", toolCallId, ...change }).event;

/** `tool_end`. `durationMs` counts from the call's last change: its start for what ran, the question for what waited. */
export const callEndEvent = (toolCallId: string, result: CallResult, durationMs: number): TranscriptEvent =>
  fitEvent({
    type: "tool_end",
    toolCallId,
    status: result.status,
    output: result.output,
    truncated: false,
    durationMs: Math.max(0, durationMs),
  }).event;

/** `permission_request` as it is sent; the request's own route gives the whole subject. */
export const requestEvent = ({ rule: _, basis: __, reply: ___, ...request }: PermissionRequest): TranscriptEvent =>
  fitEvent({ type: "permission_request", ...request }).event;

/** Bytes of an event that are not its subject or its label: ids, title, the other options, expiry. */
const REQUEST_OVERHEAD_BYTES = 4_096;

/** Whether a subject will not fit its event whole: then nobody can agree to it for always. */
export const isSubjectCut = (subject: PermissionSubject): boolean =>
  // Twice: the label of "always" repeats a command.
  2 * new TextEncoder().encode(JSON.stringify(subject)).byteLength > MAX_EVENT_BYTES - REQUEST_OVERHEAD_BYTES;
