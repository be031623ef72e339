/** The calls of a turn's newest message in their current state. Each change goes through the journal first. */
import type { PermissionAsk, TurnJournal } from "../journal.ts";
import type { FileChange } from "../tools/tool.ts";
import type { CallResult, CallState, ClosedMessage, ToolCall, TurnCheckpoint } from "../turn.ts";

/** How far a turn has come. */
export class LastCalls {
  readonly journal: TurnJournal;
  #calls: readonly ToolCall[];
  #steps: number;
  #stopReason: string | undefined;
  /** The model's ids of all calls of the turn. */
  readonly #ids: Set<string>;

  constructor(journal: TurnJournal, { steps }: TurnCheckpoint) {
    this.journal = journal;
    this.#calls = steps.at(-1)?.calls ?? [];
    this.#ids = new Set(steps.flatMap(({ calls }) => calls.map(({ toolUseId }) => toolUseId)));
    this.#steps = steps.length;
    this.#stopReason = steps.at(-1)?.stopReason;
  }

  /** Number of closed messages. */
  get steps(): number {
    return this.#steps;
  }

  /** Why the newest message stopped, when it asked for no call: the turn is over. */
  get finalStop(): string | undefined {
    return this.#calls.length === 0 ? this.#stopReason : undefined;
  }

  /** All calls of the newest message, in the model's order. */
  get all(): readonly ToolCall[] {
    return this.#calls;
  }

  /** The calls that have not ended. */
  get open(): readonly ToolCall[] {
    return this.#calls.filter(({ state }) => state.type !== "ended");
  }

  find(toolUseId: string): ToolCall | undefined {
    return this.#calls.find((call) => call.toolUseId === toolUseId);
  }

  /** Whether each of these ids belongs to only one call in the whole turn: results and permissions refer to calls by these ids. */
  areFresh(ids: readonly string[]): boolean {
    return new Set(ids).size === ids.length && ids.every((id) => !this.#ids.has(id));
  }

  async closeMessage(message: ClosedMessage, calls: readonly ToolCall[]): Promise<void> {
    await this.journal.closeMessage(message, calls);
    for (const { toolUseId } of calls) this.#ids.add(toolUseId);
    this.#calls = calls;
    this.#steps = message.step;
    this.#stopReason = message.stopReason;
  }

  async allowByRule(call: ToolCall, ask: PermissionAsk): Promise<void> {
    await this.journal.allowByRule(call, ask);
    this.note(call, { type: "allowed" });
  }

  async markStarted(call: ToolCall): Promise<void> {
    await this.journal.markStarted(call.toolCallId);
    this.note(call, { type: "started" });
  }

  async end(call: ToolCall, result: CallResult, fileChange?: FileChange): Promise<void> {
    const told = { ...result, output: result.output.toWellFormed() };
    await this.journal.endCall(call.toolCallId, told, fileChange);
    this.note(call, { type: "ended", result: told });
  }

  /** Takes over a state that is already in the journal. */
  note({ toolCallId }: ToolCall, state: CallState): void {
    this.#calls = this.#calls.map((call) => (call.toolCallId === toolCallId ? { ...call, state } : call));
  }
}
