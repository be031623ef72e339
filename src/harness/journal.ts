/**
 * Where a turn records what happens, in commits: events and checkpoint together, durable before any client sees them. A turn
 * can be killed after any of them and continues from there.
 */
import type { Question } from "../contract/guidance/question.ts";
import type { Todo } from "../contract/guidance/todo.ts";
import type { PermissionOption, RuleScope } from "../contract/permission.ts";
import type { Usage } from "../contract/run.ts";
import type { EventOf } from "../contract/transcript.ts";
import type { FileBefore, FileChange, Proposal } from "./tools/tool.ts";
import type { CallResult, ClosedMessage, ToolCall } from "./turn.ts";

/** What a request is about: one of the model's calls, or the turn's own question. */
export type AskedCall = Pick<ToolCall, "toolCallId" | "tool" | "kind" | "title">;

/** A permission request before it has an id and an expiry. */
export type PermissionAsk = Proposal & {
  readonly options: readonly PermissionOption[];
  /** The rule that `allow_always` would create; undefined when that is not offered. */
  readonly rule: { readonly scope: RuleScope; readonly label: string } | undefined;
};

/**
 * The journal of one attempt. Each method that returns a promise writes one commit at once, except `openMessage`: a message's start,
 * deltas and to-dos wait for the next commit.
 *
 * @throws {Superseded} from each method that returns a promise, once another attempt or the run's end has overtaken this one; methods that
 * start something also throw it while the run is being aborted. What is still waiting is dropped then.
 */
export type TurnJournal = {
  /**
   * `usage`: what the message has used so far, as reported at its start. Allowed while the run is being aborted: what was paid for a
   * summary that broke off is reported as a discarded message.
   */
  openMessage(message: { readonly messageId: string; readonly step: number }, usage: Usage): Promise<void>;
  /** Deltas are merged before they are written (api.md §3). A crash loses them together with their message. */
  textDelta(messageId: string, text: string): void;
  thinkingDelta(messageId: string, text: string): void;
  /** Counts what the model streams, including a call's input: it is paid for, even if the message is cut before its usage is known. */
  countOutput(messageId: string, text: string): void;
  /** Drops an open message. `usage`: what it cost nevertheless. */
  discardMessage(messageId: string, usage: Usage): Promise<void>;
  /** The message and the calls it asks for: `message_end`, then one `tool_start` for each call. */
  closeMessage(message: ClosedMessage, calls: readonly ToolCall[]): Promise<void>;
  modelRetry(retry: Omit<EventOf<"model_retry">, "type">): Promise<void>;
  /** Asks a person. The loop must return afterwards. */
  ask(call: AskedCall, ask: PermissionAsk): Promise<void>;
  /** Asks a person questions. The loop must return afterwards; the answers come as the call's state. */
  askQuestions(call: ToolCall, questions: readonly Question[]): Promise<void>;
  /**
   * Takes what the person has said meanwhile and the model has not been given yet. From now on it is part of the turn, after this step,
   * which is the newest one. Called between two steps, before the model is asked; never between a call and its result.
   */
  takeMessages(step: number): Promise<readonly string[]>;
  /** Records that an existing rule covers the call: request and reply together. */
  allowByRule(call: ToolCall, ask: PermissionAsk): Promise<void>;
  /** What was asked about a call, by `ask` or `allowByRule`, in this attempt or an earlier one. Writes nothing. */
  shown(toolCallId: string): Proposal | undefined;
  /** From here on the call may have had its effect. */
  markStarted(toolCallId: string): Promise<void>;
  /** Keeps a file as it is before a call changes it. */
  keepBefore(toolCallId: string, file: FileBefore): Promise<void>;
  output(toolCallId: string, stream: "stdout" | "stderr", text: string): void;
  /** Shows the agent's to-dos. Durable with whatever is written next; shown again by a call that a crash repeats. */
  showTodos(items: readonly Todo[]): void;
  endCall(toolCallId: string, result: CallResult, fileChange?: FileChange): Promise<void>;
};

/** Thrown when an attempt writes after it was overtaken. Nothing was written; the attempt must simply stop. */
export class Superseded extends Error {
  constructor() {
    super("This attempt was overtaken by another one or by the run's end.");
    this.name = "Superseded";
  }
}
