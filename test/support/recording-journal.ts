/**
 * A journal in memory: it keeps the order of a turn's commits, and what would be left after a crash. It replaces no code
 * of ours: the loop takes its journal as an argument, and a run's own journal is tested with its storage.
 */

import type { Question } from "../../src/contract/guidance/question.ts";
import type { Todo } from "../../src/contract/guidance/todo.ts";
import type { Usage } from "../../src/contract/run.ts";
import { progressOf, type TurnProgress } from "../../src/harness/anthropic/turn-progress.ts";
import type { AskedCall } from "../../src/harness/journal.ts";
import { type PermissionAsk, Superseded, type TurnJournal } from "../../src/harness/journal.ts";
import type { FileBefore, FileChange, Proposal } from "../../src/harness/tools/tool.ts";
import type { CallResult, CallState, ClosedMessage, SaidMeanwhile, ToolCall } from "../../src/harness/turn.ts";

type Retry = Parameters<TurnJournal["modelRetry"]>[0];

/** Records one turn over all its attempts. */
export class RecordingJournal implements TurnJournal {
  /** One line for each commit: `open m1`, `close 1 tool_use`, `ask 1-0`, `started 1-0`, `end 1-0 completed`. */
  readonly commits: string[] = [];
  /** Every delta in order of arrival, discarded messages included: `text m1 Hello`, `stdout 1-0 ok`. */
  readonly deltas: string[] = [];
  readonly asks: PermissionAsk[] = [];
  readonly questions: (readonly Question[])[] = [];
  readonly retries: Retry[] = [];
  readonly fileChanges: FileChange[] = [];
  /** Files kept before a call changed them. */
  readonly kept: (readonly [toolCallId: string, file: FileBefore])[] = [];
  readonly closed: ClosedMessage[] = [];
  /** What each discarded message cost. */
  readonly discarded: Usage[] = [];
  readonly #calls = new Map<string, ToolCall>();
  readonly #shown = new Map<string, Proposal>();
  /** From then on, whatever starts something is refused, as in a run that is being aborted. */
  isAborting = false;
  /** Called after each commit. If it throws, the attempt dies there. */
  afterCommit: (commit: string) => unknown = () => undefined;
  /** Called after each delta. */
  afterDelta: (delta: string) => unknown = () => undefined;

  async openMessage({ messageId }: { readonly messageId: string }): Promise<void> {
    this.#refuseWhileAborting();
    this.#commit(`open ${messageId}`);
  }

  textDelta(messageId: string, text: string): void {
    this.#delta(`text ${messageId} ${text}`);
  }

  thinkingDelta(messageId: string, text: string): void {
    this.#delta(`thinking ${messageId} ${text}`);
  }

  countOutput(): void {}

  output(toolCallId: string, stream: "stdout" | "stderr", text: string): void {
    this.#delta(`${stream} ${toolCallId} ${text}`);
  }

  async discardMessage(messageId: string, usage: Usage): Promise<void> {
    this.discarded.push(usage);
    this.#commit(`discard ${messageId}`);
  }

  async closeMessage(message: ClosedMessage, calls: readonly ToolCall[]): Promise<void> {
    this.closed.push(message);
    for (const call of calls) this.#calls.set(call.toolCallId, call);
    this.#commit(`close ${message.step} ${message.stopReason}`);
  }

  async modelRetry(retry: Retry): Promise<void> {
    this.retries.push(retry);
    this.#commit(`retry ${retry.attempt} ${retry.reason}`);
  }

  async ask(call: AskedCall, ask: PermissionAsk): Promise<void> {
    this.#refuseWhileAborting();
    this.asks.push(ask);
    this.#shown.set(call.toolCallId, ask);
    this.setState(call.toolCallId, { type: "asking" });
    this.#commit(`ask ${call.toolCallId}`);
  }

  async askQuestions(call: ToolCall, questions: readonly Question[]): Promise<void> {
    this.#refuseWhileAborting();
    this.questions.push(questions);
    this.setState(call.toolCallId, { type: "asking" });
    this.#commit(`ask_questions ${call.toolCallId}`);
  }

  showTodos(items: readonly Todo[]): void {
    this.#delta(`todos ${items.map(({ text, state }) => `${text}: ${state}`).join(", ")}`);
  }

  /** Said next time, and kept as said behind that step. */
  readonly waiting: string[] = [];
  readonly said: SaidMeanwhile[] = [];

  async takeMessages(step: number): Promise<readonly string[]> {
    const texts = this.waiting.splice(0);
    if (texts.length === 0) return [];
    this.said.push(...texts.map((text) => ({ step, text })));
    this.#commit(`said ${step}`);
    return texts;
  }

  async allowByRule(call: ToolCall, ask: PermissionAsk): Promise<void> {
    this.#refuseWhileAborting();
    this.asks.push(ask);
    this.#shown.set(call.toolCallId, ask);
    this.setState(call.toolCallId, { type: "allowed" });
    this.#commit(`allow_by_rule ${call.toolCallId}`);
  }

  shown(toolCallId: string): Proposal | undefined {
    return this.#shown.get(toolCallId);
  }

  async markStarted(toolCallId: string): Promise<void> {
    this.#refuseWhileAborting();
    this.setState(toolCallId, { type: "started" });
    this.#commit(`started ${toolCallId}`);
  }

  async keepBefore(toolCallId: string, file: FileBefore): Promise<void> {
    this.#refuseWhileAborting();
    this.kept.push([toolCallId, file]);
  }

  async endCall(toolCallId: string, result: CallResult, fileChange?: FileChange): Promise<void> {
    if (fileChange !== undefined) this.fileChanges.push(fileChange);
    this.setState(toolCallId, { type: "ended", result });
    this.#commit(`end ${toolCallId} ${result.status}`);
  }

  /** The state of the call after a person's answer, or after a crash at that point. */
  setState(toolCallId: string, state: CallState): void {
    const call = this.#calls.get(toolCallId);
    if (call !== undefined) this.#calls.set(toolCallId, { ...call, state });
  }

  /** What was committed of the turn, from which the next attempt starts. */
  progress(prompt: string): TurnProgress {
    const steps = this.closed.map((message) => ({ ...message, calls: this.#callsOf(message) }));
    return progressOf({ prompt, said: this.said, steps });
  }

  #callsOf({ messageId }: ClosedMessage): ToolCall[] {
    return [...this.#calls.values()].filter((call) => call.messageId === messageId);
  }

  #refuseWhileAborting(): void {
    if (this.isAborting) throw new Superseded();
  }

  #delta(line: string): void {
    this.deltas.push(line);
    this.afterDelta(line);
  }

  #commit(line: string): void {
    this.commits.push(line);
    this.afterCommit(line);
  }
}
