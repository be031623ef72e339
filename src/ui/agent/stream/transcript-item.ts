/** The items of a run's transcript, as the screen shows them: plain read-only data that `changeItems` builds from events. */
import type {
  DecidedBy,
  PermissionOption,
  PermissionOutcome,
  PermissionSubject,
  ToolKind,
} from "../../../contract/permission.ts";
import type { FailureCode } from "../../../contract/run.ts";
import type { ToolCallStatus } from "../../../contract/transcript.ts";
import type { QuestionState } from "./question-state.ts";

/** One item of the list. `key` is unique within the run and never changes. */
export type TranscriptItem =
  | UserItem
  | SteerItem
  | ContextItem
  | SummaryItem
  | ResetItem
  | MessageItem
  | ToolItem
  | BudgetItem
  | RetryItem
  | RestartItem
  | WorkspaceItem;

/** The prompt. Until the run's own event arrives, it is the text as sent. */
export type UserItem = {
  readonly type: "user";
  readonly key: string;
  readonly text: string;
  /** The text was cut for the stream; `GET …/prompt` has it whole. */
  readonly isTruncated: boolean;
};

/** What the person said while the run worked. It moves to where the model is given it. */
export type SteerItem = {
  readonly type: "steer";
  readonly key: string;
  readonly messageId: string;
  readonly text: string;
  /** `unused`: the run ended before the model was given it. */
  readonly state: "waiting" | "given" | "unused";
};

/** The model was given something besides the messages. */
export type ContextItem = {
  readonly type: "context";
  readonly key: string;
  /** `instructions`: a file of them. `workspace`: another directory. `undo`: what was undone. `plan`: the turn begins in plan mode. */
  readonly source: "instructions" | "workspace" | "undo" | "plan";
  /** The file. */
  readonly path: string | undefined;
};

/** From here on, the model gets a summary instead of earlier messages. */
export type SummaryItem = {
  readonly type: "summary";
  readonly key: string;
  /** Markdown of the model, untrusted like its answers. */
  readonly summary: string;
  /** The tokens of the whole conversation. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};

/** From here on, the model gets earlier messages as plain text or not at all. */
type ResetItem = {
  readonly type: "reset";
  readonly key: string;
  /** A sentence from the server. */
  readonly reason: string;
};

/** A message of the model. A discarded one is removed from the list. */
export type MessageItem = {
  readonly type: "message";
  readonly key: string;
  readonly messageId: string;
  /** The run's model call it came from, from 1. */
  readonly step: number;
  /** Markdown. Grows while open; may be empty, when the model only calls tools. */
  readonly text: string;
  /** Empty when the model gave none. */
  readonly thinking: string;
  /** Still being written. */
  readonly isOpen: boolean;
  /** The model's stop reason, `aborted` or `error`; undefined while open. */
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
  /** `running` until the call ends, even while `permission` is open. */
  readonly status: "running" | ToolCallStatus;
  /** What was written while it ran. Stays after the end. */
  readonly live: LiveOutput;
  /** The result; undefined while running. */
  readonly output: string | undefined;
  readonly isOutputTruncated: boolean;
  readonly fileChanges: readonly FileChange[];
  readonly permission: PermissionState | undefined;
  /** What the call asks the person. */
  readonly question?: QuestionState;
  readonly startedAt: string;
  /** Undefined while running. */
  readonly durationMs: number | undefined;
};

/** The run has spent its budget and asks for more. Its `toolCallId` names no call: it is only the key of the request. */
export type BudgetItem = Budget & {
  readonly type: "budget";
  readonly key: string;
  readonly toolCallId: string;
  readonly permission: PermissionState;
};

/** What a run may spend and what it has spent, in US dollars as exact decimal strings. */
export type Budget = Pick<Extract<PermissionSubject, { readonly type: "budget" }>, "limitUsd" | "spentUsd">;

/** The newest output of a command, in the order it came. */
export type LiveOutput = {
  readonly parts: readonly OutputPart[];
  /** UTF-16 units that were dropped before the first part. */
  readonly leftOut: number;
};

/** A piece of one stream. Adjacent parts are from different streams. */
export type OutputPart = { readonly stream: "stdout" | "stderr"; readonly text: string };

/** A file that a call changed. */
type FileChange = {
  readonly path: string;
  readonly operation: "create" | "update" | "delete";
  /** Unified diff. */
  readonly diff: string;
  readonly isTruncated: boolean;
};

/** A permission request of a call, or of a run at its budget. Open while `reply` is undefined. */
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
  /** The next try has not started yet. */
  readonly isWaiting: boolean;
};

/** The server went down during the run, and resumed it. */
type RestartItem = {
  readonly type: "restart";
  readonly key: string;
  /** Which attempt starts here, from 2. */
  readonly attempt: number;
  readonly at: string;
};

/** The run continues in a different workspace than it started in. */
type WorkspaceItem = {
  readonly type: "workspace";
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly at: string;
};
