/**
 * A journal in memory: it keeps the order of a turn's commits, and what a crash would find of them. It stands in for
 * nothing of ours: the loop takes its journal as an argument, and the one of a run is tested with its storage.
 */
import type { AskedCall } from "../../src/harness/budget.ts";
import { type PermissionAsk, Superseded, type TurnJournal } from "../../src/harness/journal.ts";
import { toolResultMessage } from "../../src/harness/tool-results.ts";
import type { FileChange, Proposal } from "../../src/harness/tools/tool.ts";
import type { CallResult, CallState, ClosedMessage, ToolCall, TurnProgress } from "../../src/harness/turn.ts";
import type { Message } from "../../src/model/messages.ts";

type Retry = Parameters<TurnJournal["modelRetry"]>[0];

/** Records one turn over all its attempts. */
export class RecordingJournal implements TurnJournal {
  /** One line a commit: `open m1`, `close 1 tool_use`, `ask 1-0`, `started 1-0`, `end 1-0 completed`. */
  readonly commits: string[] = [];
  /** Every delta as it came, discarded messages included: `text m1 Hello`, `stdout 1-0 ok`. */
  readonly deltas: string[] = [];
  readonly asks: PermissionAsk[] = [];
  readonly retries: Retry[] = [];
  readonly fileChanges: FileChange[] = [];
  readonly closed: ClosedMessage[] = [];
  readonly #calls = new Map<string, ToolCall>();
  readonly #shown = new Map<string, Proposal>();
  /** From then on, whatever starts something is refused, as in a run that is being aborted. */
  isAborting = false;
  /** Called behind each commit. What it throws is where the attempt dies. */
  afterCommit: (commit: string) => unknown = () => undefined;
  /** Called behind each delta. */
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

  output(toolCallId: string, stream: "stdout" | "stderr", text: string): void {
    this.#delta(`${stream} ${toolCallId} ${text}`);
  }

  async discardMessage(messageId: string): Promise<void> {
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

  async endCall(toolCallId: string, result: CallResult, fileChange?: FileChange): Promise<void> {
    if (fileChange !== undefined) this.fileChanges.push(fileChange);
    this.setState(toolCallId, { type: "ended", result });
    this.#commit(`end ${toolCallId} ${result.status}`);
  }

  /** What a person's answer, or a crash at that point, leaves the call in. */
  setState(toolCallId: string, state: CallState): void {
    const call = this.#calls.get(toolCallId);
    if (call !== undefined) this.#calls.set(toolCallId, { ...call, state });
  }

  /** What was committed of the turn: what the next attempt is given. */
  progress(prompt: string): TurnProgress {
    const messages = this.closed.flatMap((message): Message[] => {
      const calls = message === this.closed.at(-1) ? [] : this.#callsOf(message);
      const answer: Message = { role: "assistant", content: message.content };
      return calls.length > 0 ? [answer, toolResultMessage(calls)] : [answer];
    });
    const last = this.closed.at(-1);
    return {
      messages: [{ role: "user", content: [{ type: "text", text: prompt }] }, ...messages],
      steps: this.closed.length,
      answer: last && { stopReason: last.stopReason, calls: this.#callsOf(last) },
      lastUsage: last?.usage,
    };
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
