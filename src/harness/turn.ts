/** A turn in progress: what is committed of it, in the shape the loop goes on from. */
import type { ToolKind } from "../contract/permission.ts";
import type { RunError, TerminalStatus, Usage } from "../contract/run.ts";
import type { ToolCallStatus } from "../contract/transcript.ts";
import type { Message } from "../model/messages.ts";

/** Where a call stands. Each state but `ended` is one the loop can start from again. */
export type CallState =
  /** Shown by `tool_start`; nothing is decided. */
  | { readonly type: "pending" }
  /** A person is asked; the loop is not running. */
  | { readonly type: "asking" }
  /** A person or a rule said yes; nothing has been done yet. */
  | { readonly type: "allowed" }
  /** Somebody said no, or nobody answered in time. `reason` is for the model. */
  | { readonly type: "rejected"; readonly reason: string }
  /** It may have had its effect. */
  | { readonly type: "started" }
  | { readonly type: "ended"; readonly result: CallResult };

/** How a call ended, as the model is told. */
export type CallResult = { readonly status: ToolCallStatus; readonly output: string };

/** One call of the newest model message. */
export type ToolCall = {
  /** `<step>-<index>`, ours. */
  readonly toolCallId: string;
  /** The provider's id, which the result must name. */
  readonly toolUseId: string;
  readonly messageId: string;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly state: CallState;
};

/** The newest closed model message and what it asked for. */
export type Answer = {
  readonly stopReason: string;
  /** In the model's order; empty when it asked for none. */
  readonly calls: readonly ToolCall[];
};

/** Everything committed of a turn. */
export type TurnProgress = {
  /** The prompt, then model messages and tool results, all complete. Without the results of `answer.calls`. */
  readonly messages: readonly Message[];
  /** Model calls that were finished. */
  readonly steps: number;
  /** Undefined before the first model message. */
  readonly answer: Answer | undefined;
  /** Tokens of the newest model message; undefined before the first. */
  readonly lastUsage: Usage | undefined;
};

/** How a turn stopped. */
export type TurnOutcome =
  /** For a person: the turn goes on from its checkpoint when the answer is in. */
  | { readonly type: "waiting" }
  | {
      readonly type: "ended";
      readonly status: TerminalStatus;
      readonly stopReason: string;
      readonly error: RunError | null;
    };

/** A model message that is over, as it is kept and as it is shown. */
export type ClosedMessage = {
  readonly messageId: string;
  readonly step: number;
  readonly content: Message["content"];
  /** All text blocks in order, joined without anything between: equals the text deltas. */
  readonly text: string;
  readonly stopReason: string;
  readonly usage: Usage;
};
