/** The transcript of a run: every kind of event and its fields (api.md §3). Clients ignore kinds they do not know. */
import * as z from "zod";
import { Answers, QUESTION_FIELDS } from "./guidance/question.ts";
import { Todo } from "./guidance/todo.ts";
import { HarnessSessionId, RequestId, RunId, ThreadId } from "./ids.ts";
import { DecidedBy, PermissionMode, PermissionOutcome, REQUEST_FIELDS, ToolKind } from "./permission.ts";
import { CostUsd, FailureCode, RunError, RunMode, TerminalStatus, Usage } from "./run.ts";

/** Id of a model message within its run. A discarded message's id is never used again. */
const MessageId = z.string();

/** Id of a tool call within its run: `<step>-<index>`, ours; the provider's own id stays on the server. */
const ToolCallId = z.string();

/** Present, and true, if a long string was cut to keep the frame under 64 KB. */
const truncated = z.boolean().optional();

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** How a tool call ended. `aborted` means that it had no effect; `unknown` that nobody can tell. */
export const ToolCallStatus = z.enum(["completed", "failed", "denied", "aborted", "unknown"]);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

/** One entry of a transcript, before it has its number and time. */
export const TranscriptEvent = z.discriminatedUnion("type", [
  /** `position`: runs of the thread ahead of this one, at least 1. */
  event("run_queued", { runId: RunId, threadId: ThreadId, position: z.int().positive() }),
  /**
   * `resumed`: the conversation already contained a message. `harness`: `anthropic` or `agent-sdk`; runs of earlier releases did
   * not name theirs. `attempt` counts from 1; each crash adds one. `previousWorkspaceDir` is
   * present when the thread's last turn worked in another directory, `mode` when the turn begins in plan mode.
   */
  event("run_start", {
    runId: RunId,
    threadId: ThreadId,
    sessionId: HarnessSessionId,
    resumed: z.boolean(),
    harness: z.string().exactOptional(),
    model: z.string(),
    permissionMode: PermissionMode,
    mode: RunMode.exactOptional(),
    workspaceDir: z.string(),
    previousWorkspaceDir: z.string().exactOptional(),
    attempt: z.int().positive(),
  }),
  event("user_message", { messageId: MessageId, text: z.string(), truncated }),
  /** The person says something while the run works. It waits for the end of the step. Then exactly one of the next two events follows. */
  event("steer_message", { messageId: z.uuid(), text: z.string(), truncated }),
  /** The model is given the message. `step`: the model call that reads it first. */
  event("steer_applied", { messageId: z.uuid(), step: z.int().positive() }),
  /** The run has ended, and the model was never given the message. */
  event("steer_dropped", { messageId: z.uuid() }),
  /** The model was given a file of project instructions (`path`), or told that the thread works in another directory or what was undone. */
  event("context_added", { source: z.enum(["instructions", "workspace", "undo"]), path: z.string().exactOptional() }),
  /** Earlier turns are sent as a summary from now on. Tokens are those of the whole conversation; `usage` is that of the summary itself. */
  event("context_compacted", {
    trigger: z.enum(["auto", "manual"]),
    tokensBefore: z.int().nonnegative(),
    tokensAfter: z.int().nonnegative(),
    summary: z.string(),
    usage: Usage,
  }),
  /** A new epoch: earlier turns are no longer sent, or only as plain text. The store keeps them. */
  event("context_reset", { reason: z.string() }),
  /** `step` counts the run's model calls from 1. */
  event("message_start", { messageId: MessageId, step: z.int().positive() }),
  event("text_delta", { messageId: MessageId, text: z.string().min(1) }),
  event("thinking_delta", { messageId: MessageId, text: z.string().min(1) }),
  /** `text` equals the message's text deltas. `stopReason` is the model's, or `aborted`, or `error`. */
  event("message_end", { messageId: MessageId, text: z.string(), stopReason: z.string(), usage: Usage }),
  /**
   * The message counts as never sent; the next one has a new id. `usage`: what the dropped try used, as far as the provider reported it.
   */
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
    ...REQUEST_FIELDS,
    toolCallId: ToolCallId,
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
  /** `ask_user` asks: one or more questions, each with options and room for an answer of one's own. */
  event("question_request", QUESTION_FIELDS),
  /** `answers` is null when the person declined, nobody answered in time, or the run was stopped. */
  event("question_reply", { requestId: RequestId, answers: Answers.nullable(), by: DecidedBy }),
  /** `propose_plan` asks whether to go ahead. Answered like a permission request, and closed by a `permission_reply`. */
  event("plan_proposed", {
    requestId: RequestId,
    toolCallId: ToolCallId,
    markdown: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  /** The agent's list of what it has to do. The newest one counts. */
  event("todos", { items: z.array(Todo) }),
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
  /** `attempt`: the number of the try that failed, from 1. `delayMs`: how long until the next. */
  event("model_retry", { attempt: z.int().positive(), delayMs: z.int().nonnegative(), reason: FailureCode }),
  /**
   * Always last, exactly once. `usage` is the sum over `message_end`. `costUsd` is the cost of every model call of the run, including
   * dropped tries and compactions; null when a price is unknown.
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

/** An event as it is in the log: `seq` counts from 1 without a gap, `at` is ISO 8601 UTC. */
export const NumberedEvent = TranscriptEvent.and(z.object({ seq: z.int(), at: z.string() }));

export type NumberedEvent = z.infer<typeof NumberedEvent>;
