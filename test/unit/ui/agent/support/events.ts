/** Events of a run in the contract's order, and their frames. */
import { HarnessSessionId, RequestId, RunId, ThreadId } from "../../../../../src/contract/ids.ts";
import type { NumberedEvent, TranscriptEvent } from "../../../../../src/contract/transcript.ts";

export const RUN_ID = RunId.parse("0198c0de-0000-7000-8000-000000000001");
export const REQUEST_ID = RequestId.parse("0198c0de-0000-4000-8000-000000000002");
const SESSION_ID = HarnessSessionId.parse("0198c0de-0000-4000-8000-000000000003");
const THREAD_ID = ThreadId.parse("t1");

/** Tokens of one model call. */
export const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 1, cacheWriteTokens: 0 };

/** When the event with this seq happened. */
export const timeOf = (seq: number): string => new Date(Date.UTC(2026, 0, 1) + seq * 1_000).toISOString();

/** Events as a log: numbered from `firstSeq`. */
export const numbered = (events: readonly TranscriptEvent[], firstSeq = 1): NumberedEvent[] =>
  events.map((event, index) => ({ ...event, seq: firstSeq + index, at: timeOf(firstSeq + index) }));

/** Events as the stream's text. */
export const frames = (events: readonly NumberedEvent[]): string =>
  events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join("");

export const runStart = (attempt = 1, workspaceDir = "/work"): TranscriptEvent => ({
  type: "run_start",
  runId: RUN_ID,
  threadId: THREAD_ID,
  sessionId: SESSION_ID,
  resumed: false,
  model: "model-1",
  permissionMode: "allow-reads",
  workspaceDir,
  attempt,
});

export const runQueued = (position: number): TranscriptEvent => ({
  type: "run_queued",
  runId: RUN_ID,
  threadId: THREAD_ID,
  position,
});

export const userMessage = (text: string): TranscriptEvent => ({ type: "user_message", messageId: "u1", text });

export const messageStart = (messageId: string, step = 1): TranscriptEvent => ({
  type: "message_start",
  messageId,
  step,
});

export const textDelta = (messageId: string, text: string): TranscriptEvent => ({
  type: "text_delta",
  messageId,
  text,
});

export const messageEnd = (messageId: string, text: string, stopReason = "end_turn"): TranscriptEvent => ({
  type: "message_end",
  messageId,
  text,
  stopReason,
  usage: USAGE,
});

export const toolStart = (toolCallId: string, messageId = "m1"): TranscriptEvent => ({
  type: "tool_start",
  toolCallId,
  messageId,
  tool: "run_shell",
  kind: "execute",
  title: "Run ls",
  input: { command: "ls" },
});

const toolEnd = (toolCallId: string): TranscriptEvent => ({
  type: "tool_end",
  toolCallId,
  status: "completed",
  output: "a\nb\n",
  truncated: false,
  durationMs: 12,
});

export const permissionRequest = (toolCallId: string): TranscriptEvent => ({
  type: "permission_request",
  requestId: REQUEST_ID,
  toolCallId,
  tool: "run_shell",
  kind: "execute",
  title: "Run ls",
  subject: { type: "command", command: "ls", dir: "." },
  options: [
    { decision: "allow_once", label: "Once" },
    { decision: "reject", label: "No" },
  ],
  expiresAt: "2026-01-02T00:00:00.000Z",
});

/** The run asks for more than its budget: no call is behind it. */
export const budgetRequest = (toolCallId = "budget-1"): TranscriptEvent => ({
  type: "permission_request",
  requestId: REQUEST_ID,
  toolCallId,
  tool: "budget",
  kind: "execute",
  title: "Go on past the budget",
  subject: { type: "budget", limitUsd: "0.5", spentUsd: "0.4837" },
  options: [
    { decision: "allow_once", label: "Spend as much again" },
    { decision: "reject", label: "Stop" },
  ],
  expiresAt: "2026-01-02T00:00:00.000Z",
});

/** Earlier turns are sent as a summary from here on. */
export const compacted = (summary: string): TranscriptEvent => ({
  type: "context_compacted",
  trigger: "auto",
  tokensBefore: 152_000,
  tokensAfter: 4_000,
  summary,
  usage: USAGE,
});

export const permissionReply = (toolCallId: string): TranscriptEvent => ({
  type: "permission_reply",
  requestId: REQUEST_ID,
  toolCallId,
  decision: "allow_once",
  by: "user",
});

export const runEnd = (
  status: "completed" | "failed" | "aborted" = "completed",
  costUsd: string | null = null,
  durationMs = 900,
): TranscriptEvent => ({
  type: "run_end",
  status,
  stopReason: "end_turn",
  usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 2, cacheWriteTokens: 0 },
  costUsd,
  steps: 2,
  durationMs,
  error: status === "failed" ? { code: "internal", message: "It broke." } : null,
});

/** A run with everything in it: queued, thinking, a retry, a restart, a command that was asked for, a file, an answer. */
export const WHOLE_RUN: readonly NumberedEvent[] = numbered([
  runQueued(1),
  userMessage("List my files"),
  runStart(),
  messageStart("m0"),
  textDelta("m0", "Let me"),
  { type: "message_discard", messageId: "m0", reason: "retry" },
  { type: "model_retry", attempt: 1, delayMs: 500, reason: "model_overloaded" },
  messageStart("m1"),
  { type: "thinking_delta", messageId: "m1", text: "They want " },
  { type: "thinking_delta", messageId: "m1", text: "a list." },
  textDelta("m1", "I will "),
  textDelta("m1", "look."),
  messageEnd("m1", "I will look.", "tool_use"),
  toolStart("1-0"),
  permissionRequest("1-0"),
  { type: "run_status", status: "waiting_permission" },
  permissionReply("1-0"),
  { type: "run_status", status: "running" },
  { type: "tool_output", toolCallId: "1-0", stream: "stdout", text: "a\n" },
  { type: "tool_output", toolCallId: "1-0", stream: "stdout", text: "b\n" },
  { type: "tool_output", toolCallId: "1-0", stream: "stderr", text: "careful\n" },
  { type: "file_change", toolCallId: "1-0", path: "a", operation: "update", diff: "-x\n+y\n" },
  toolEnd("1-0"),
  messageStart("m2", 2),
  textDelta("m2", "Half"),
  { type: "message_discard", messageId: "m2", reason: "restart" },
  runStart(2, "/elsewhere"),
  messageStart("m3", 2),
  textDelta("m3", "Two files."),
  messageEnd("m3", "Two files."),
  runEnd(),
]);
