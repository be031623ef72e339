/**
 * Where a turn writes down what happens. Each method is one commit: events and checkpoint together, durable before any
 * client sees them. A turn may be stopped dead after any of them and goes on from there.
 */
import type { PermissionOption, PermissionSubject, RuleScope, ToolKind } from "../contract/permission.ts";
import type { Usage } from "../contract/run.ts";
import type { EventOf } from "../contract/transcript.ts";
import type { AskedCall } from "./budget.ts";
import type { FileChange, Proposal } from "./tools/tool.ts";
import type { CallResult, ClosedMessage, ToolCall } from "./turn.ts";

/** A permission request before it has an id and an expiry. */
export type PermissionAsk = Proposal & {
  readonly options: readonly PermissionOption[];
  /** The rule that `allow_always` would make; undefined when it is not offered. */
  readonly rule: { readonly scope: RuleScope; readonly label: string } | undefined;
};

/**
 * The journal of one attempt.
 *
 * @throws {Superseded} from any method, once another attempt or an end has overtaken this one; from the methods that
 * start something also while the run is being aborted.
 */
export type TurnJournal = {
  /** `usage`: what the message has used so far, as its start says. */
  openMessage(message: { readonly messageId: string; readonly step: number }, usage: Usage): Promise<void>;
  /** Deltas are merged before they are written (CONTRACT §3); they are lost by a crash together with their message. */
  textDelta(messageId: string, text: string): void;
  thinkingDelta(messageId: string, text: string): void;
  /** Drops an open message. `usage`: what it has cost all the same. */
  discardMessage(messageId: string, usage: Usage): Promise<void>;
  /** The message and the calls it asks for: `message_end`, then a `tool_start` each. */
  closeMessage(message: ClosedMessage, calls: readonly ToolCall[]): Promise<void>;
  modelRetry(retry: Omit<EventOf<"model_retry">, "type">): Promise<void>;
  /** Asks a person. The loop must return after it. */
  ask(call: AskedCall, ask: PermissionAsk): Promise<void>;
  /** Records that a standing rule covers the call: request and reply together. */
  allowByRule(call: ToolCall, ask: PermissionAsk): Promise<void>;
  /** What was asked about a call, by `ask` or `allowByRule`, in this attempt or an earlier one. Writes nothing. */
  shown(toolCallId: string): Proposal | undefined;
  /** From here on the call counts as possibly done. */
  markStarted(toolCallId: string): Promise<void>;
  output(toolCallId: string, stream: "stdout" | "stderr", text: string): void;
  endCall(toolCallId: string, result: CallResult, fileChange?: FileChange): Promise<void>;
};

/** Thrown when an attempt writes after it was overtaken. Nothing was written; the attempt must just stop. */
export class Superseded extends Error {
  constructor() {
    super("This attempt was overtaken by another one or by the run's end.");
    this.name = "Superseded";
  }
}

/** What a call's permission depends on. */
export type PermissionGate = {
  /** Whether a rule may be offered for the subject in this run as it stands, and may cover it. */
  mayBecomeRule(subject: PermissionSubject): boolean;
  /** Whether a standing rule of the thread covers the subject, asked anew for each call: a rule can be revoked. */
  isCovered(subject: PermissionSubject): Promise<boolean>;
  /** Whether a kind of tool runs unasked in the session's permission mode. */
  runsUnasked(kind: ToolKind): boolean;
};
