/**
 * What a person sees of one run: its items in order and where it stands. Plain read-only data that `applyEvents` makes
 * from the run's events; a part that did not change keeps its identity, so a view may compare by `===`.
 */

import type {
  DecidedBy,
  PermissionOption,
  PermissionOutcome,
  PermissionSubject,
  ToolKind,
} from "../../contract/permission.ts";
import type { FailureCode, RunError, RunStatus, Usage } from "../../contract/run.ts";
import type { ToolCallStatus } from "../../contract/transcript.ts";

/** One run's transcript so far. Times are ISO 8601 UTC, by the server's clock. */
export type TranscriptState = {
  readonly runId: string;
  /** `queued` until the first event says otherwise. */
  readonly status: RunStatus;
  /** Runs of the thread ahead of this one when it was queued, at least 1; undefined once it has started. */
  readonly queuePosition: number | undefined;
  /** In the order they happened; the user's message is the first. */
  readonly items: readonly TranscriptItem[];
  /** Undefined until the run has started, as are the next three. */
  readonly model: string | undefined;
  readonly workspaceDir: string | undefined;
  /** Whether the conversation already held a message. */
  readonly isResumed: boolean | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** Of the run so far; the server's own sum once it has ended. */
  readonly usage: Usage;
  /** Model calls so far. */
  readonly steps: number;
  /** Undefined until the end. */
  readonly stopReason: string | undefined;
  /** Undefined until the end. */
  readonly durationMs: number | undefined;
  /** Why it failed. */
  readonly error: RunError | undefined;
  /** The newest event that is part of this state: the cursor to go on from. 0 before the first. */
  readonly lastSeq: number;
};

/** One thing in the list. `key` is unique within the run and never changes. */
export type TranscriptItem = UserItem | MessageItem | ToolItem | RetryItem | RestartItem | WorkspaceItem;

/** The prompt. Before the run's own event arrives it is the text that was sent. */
export type UserItem = {
  readonly type: "user";
  readonly key: string;
  readonly text: string;
  /** The text was cut for the stream; `GET …/prompt` has it whole. */
  readonly isTruncated: boolean;
};

/** One message of the model. A discarded one is no longer in the list. */
export type MessageItem = {
  readonly type: "message";
  readonly key: string;
  readonly messageId: string;
  /** The run's model call it came from, from 1. */
  readonly step: number;
  /** Markdown. Grows while open; may be empty, when the model only calls tools. */
  readonly text: string;
  /** Empty when the model showed none. */
  readonly thinking: string;
  /** Still being written. */
  readonly isOpen: boolean;
  /** The model's, or `aborted`, or `error`; undefined while open. */
  readonly stopReason: string | undefined;
};

/** One tool call. */
export type ToolItem = {
  readonly type: "tool";
  readonly key: string;
  readonly toolCallId: string;
  readonly messageId: string;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly input: unknown;
  readonly isInputTruncated: boolean;
  /** `running` until it ends, also while it waits for an answer: then `permission` is open. */
  readonly status: "running" | ToolCallStatus;
  /** What was written while it ran. Stays after the end. */
  readonly live: LiveOutput;
  /** The result; undefined while running. */
  readonly output: string | undefined;
  readonly isOutputTruncated: boolean;
  readonly fileChanges: readonly FileChange[];
  readonly permission: PermissionState | undefined;
  readonly startedAt: string;
  /** Undefined while running. */
  readonly durationMs: number | undefined;
};

/** The newest output of a command, in the order it came. */
export type LiveOutput = {
  readonly parts: readonly OutputPart[];
  /** UTF-16 units that memory no longer holds; they stood before the first part. */
  readonly leftOut: number;
};

/** A piece of one stream. Neighbours are of different streams. */
export type OutputPart = { readonly stream: "stdout" | "stderr"; readonly text: string };

/** A file that a call changed. */
type FileChange = {
  readonly path: string;
  readonly operation: "create" | "update" | "delete";
  /** Unified diff. */
  readonly diff: string;
  readonly isTruncated: boolean;
};

/** What a call asked for. Open while `reply` is undefined. */
export type PermissionState = {
  readonly requestId: string;
  readonly title: string;
  readonly subject: PermissionSubject;
  /** In the order to show them. */
  readonly options: readonly PermissionOption[];
  readonly expiresAt: string;
  /** Part of the subject was cut for the stream; the request's own route has it whole. */
  readonly isTruncated: boolean;
  readonly reply: PermissionReply | undefined;
};

/** How a request ended. */
export type PermissionReply = {
  readonly decision: PermissionOutcome;
  readonly by: DecidedBy;
  /** What the person wrote with a reject. */
  readonly message: string | undefined;
};

/** The model could not be reached and is asked again. */
export type RetryItem = {
  readonly type: "retry";
  readonly key: string;
  /** Which try failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly reason: FailureCode;
  readonly at: string;
  /** The next try has not begun yet. */
  readonly isWaiting: boolean;
};

/** The server went down in mid-run and goes on. */
type RestartItem = {
  readonly type: "restart";
  readonly key: string;
  /** Which attempt begins here, from 2. */
  readonly attempt: number;
  readonly at: string;
};

/** The run goes on in another workspace than it began in. */
type WorkspaceItem = {
  readonly type: "workspace";
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly at: string;
};

/** Nothing known yet. With `prompt`, what was just sent stands there at once. */
export const newTranscript = (runId: string, prompt?: string): TranscriptState => ({
  runId,
  status: "queued",
  queuePosition: undefined,
  items: prompt === undefined ? [] : [{ type: "user", key: "user", text: prompt, isTruncated: false }],
  model: undefined,
  workspaceDir: undefined,
  isResumed: undefined,
  startedAt: undefined,
  endedAt: undefined,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  steps: 0,
  stopReason: undefined,
  durationMs: undefined,
  error: undefined,
  lastSeq: 0,
});

/** Whether the run has ended. */
export const hasEnded = ({ endedAt }: TranscriptState): boolean => endedAt !== undefined;

/** The call that waits for a person's answer; there is at most one. */
export const openRequestOf = ({ items }: TranscriptState): (ToolItem & { permission: PermissionState }) | undefined =>
  items.findLast(isAsking);

const isAsking = (item: TranscriptItem): item is ToolItem & { permission: PermissionState } =>
  item.type === "tool" && item.permission !== undefined && item.permission.reply === undefined;
