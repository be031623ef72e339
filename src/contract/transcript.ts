/** The transcript of a run: every kind of event and its fields (CONTRACT §3). Clients ignore kinds they do not know. */
import * as z from "zod";
import { HarnessSessionId, RequestId, RunId, ThreadId } from "./ids.ts";
import {
  DecidedBy,
  PermissionMode,
  PermissionOption,
  PermissionOutcome,
  PermissionSubject,
  ToolKind,
} from "./permission.ts";
import { CostUsd, FailureCode, RunError, TerminalStatus, Usage } from "./run.ts";

/** A message of the model within its run. A discarded message's id is never used again. */
const MessageId = z.string();

/** A tool call within its run: `<step>-<index>`, ours; the provider's own id stays on the server. */
const ToolCallId = z.string();

/** Present, and true, where a long string was cut to keep the frame under 64 KB. */
const truncated = z.boolean().optional();

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** How a tool call ended. `aborted` says it had no effect; `unknown` that nobody can tell. */
export const ToolCallStatus = z.enum(["completed", "failed", "denied", "aborted", "unknown"]);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

/** One entry of a transcript, before it has its number and time. */
export const TranscriptEvent = z.discriminatedUnion("type", [
  /** `position`: runs of the thread ahead of this one, at least 1. */
  event("run_queued", { runId: RunId, threadId: ThreadId, position: z.int().positive() }),
  /**
   * `resumed`: the conversation already held a message. `attempt` counts from 1; each crash adds one. `previousWorkspaceDir` is
   * there when the thread's last turn worked in another directory.
   */
  event("run_start", {
    runId: RunId,
    threadId: ThreadId,
    sessionId: HarnessSessionId,
    resumed: z.boolean(),
    model: z.string(),
    permissionMode: PermissionMode,
    workspaceDir: z.string(),
    previousWorkspaceDir: z.string().exactOptional(),
    attempt: z.int().positive(),
  }),
  event("user_message", { messageId: MessageId, text: z.string(), truncated }),
  /** The model was told of a file of project instructions (`path`), or that the thread works in another directory. */
  event("context_added", { source: z.enum(["instructions", "workspace"]), path: z.string().exactOptional() }),
  /** Earlier turns are sent as a summary from now on. Tokens are those of the whole conversation; `usage` is the summary's own price. */
  event("context_compacted", {
    trigger: z.enum(["auto", "manual"]),
    tokensBefore: z.int().nonnegative(),
    tokensAfter: z.int().nonnegative(),
    summary: z.string(),
    usage: Usage,
  }),
  /** A new epoch: earlier turns are no longer sent, or as plain text. The store keeps them. */
  event("context_reset", { reason: z.string() }),
  /** `step` counts the run's model calls from 1. */
  event("message_start", { messageId: MessageId, step: z.int().positive() }),
  event("text_delta", { messageId: MessageId, text: z.string().min(1) }),
  event("thinking_delta", { messageId: MessageId, text: z.string().min(1) }),
  /** `text` equals the message's text deltas. `stopReason` is the model's, or `aborted`, or `error`. */
  event("message_end", { messageId: MessageId, text: z.string(), stopReason: z.string(), usage: Usage }),
  /** The message counts as never sent; the next one has a new id. `usage`: what the dropped try cost, as far as the provider said. */
  event("message_discard", {
    messageId: MessageId,
    reason: z.enum(["retry", "restart"]),
    usage: Usage.exactOptional(),
  }),
  event("tool_start", {
    toolCallId: ToolCallId,
    messageId: MessageId,
    tool: z.string(),
    kind: ToolKind,
    title: z.string(),
    input: z.unknown(),
    truncated,
  }),
  event("permission_request", {
    requestId: RequestId,
    toolCallId: ToolCallId,
    tool: z.string(),
    kind: ToolKind,
    title: z.string(),
    subject: PermissionSubject,
    options: z.array(PermissionOption),
    expiresAt: z.iso.datetime(),
    truncated,
  }),
  event("permission_reply", {
    requestId: RequestId,
    toolCallId: ToolCallId,
    decision: PermissionOutcome,
    by: DecidedBy,
    message: z.string().optional(),
  }),
  event("tool_output", { toolCallId: ToolCallId, stream: z.enum(["stdout", "stderr"]), text: z.string(), truncated }),
  event("file_change", {
    toolCallId: ToolCallId,
    path: z.string(),
    operation: z.enum(["create", "update", "delete"]),
    diff: z.string(),
    truncated,
  }),
  event("tool_end", {
    toolCallId: ToolCallId,
    status: ToolCallStatus,
    output: z.string(),
    truncated: z.boolean(),
    durationMs: z.int().nonnegative(),
  }),
  event("run_status", { status: z.enum(["waiting_permission", "running", "aborting"]) }),
  /** `attempt`: which try failed, from 1. `delayMs`: how long until the next. */
  event("model_retry", { attempt: z.int().positive(), delayMs: z.int().nonnegative(), reason: FailureCode }),
  /**
   * Always last, exactly once. `usage` is the sum over `message_end`. `costUsd` is that of every model call of the run, dropped
   * tries and compactions included; null when a price is not known.
   */
  event("run_end", {
    status: TerminalStatus,
    stopReason: z.string(),
    usage: Usage,
    costUsd: CostUsd.nullable().default(null),
    steps: z.int().nonnegative(),
    durationMs: z.int().nonnegative(),
    error: RunError.nullable(),
  }),
]);
export type TranscriptEvent = z.infer<typeof TranscriptEvent>;

/** An event of one kind. */
export type EventOf<Type extends TranscriptEvent["type"]> = Extract<TranscriptEvent, { type: Type }>;

/** An event as it stands in the log: `seq` counts from 1 without a gap, `at` is ISO 8601 UTC. */
export type NumberedEvent = TranscriptEvent & { readonly seq: number; readonly at: string };
