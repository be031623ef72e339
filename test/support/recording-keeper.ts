/**
 * A keeper in memory: what a turn keeps of its requests, and what it asks of the session. It replaces no code of
 * ours: a turn takes its keeper as an argument, and a run's own keeper is tested with its storage.
 */
import { type ConversationTurn, TurnState } from "../../src/harness/anthropic/conversation.ts";
import type { ConversationKeeper, Summary } from "../../src/harness/anthropic/conversation-keeper.ts";
import type { TurnKeeper } from "../../src/harness/turn.ts";

/** Records one turn. */
export class RecordingKeeper implements ConversationKeeper {
  /** Each state that was kept, oldest first. */
  readonly saved: TurnState[] = [];
  readonly compactions: Summary[] = [];
  readonly epochs: { readonly turns: readonly ConversationTurn[]; readonly reason: string }[] = [];
  /** What a change of the session's conversation makes of the state. */
  afterEvent: (state: TurnState) => TurnState = (state) => state;

  async save(state: TurnState): Promise<void> {
    this.saved.push(state);
  }

  async saveCompaction(summary: Summary, state: TurnState): Promise<TurnState> {
    this.compactions.push(summary);
    return this.#kept(state);
  }

  async startEpoch(turns: readonly ConversationTurn[], reason: string, state: TurnState): Promise<TurnState> {
    this.epochs.push({ turns, reason });
    return this.#kept(state);
  }

  /** The same as a run's keeper. It has no summaries, and does not read the turns of an epoch. */
  get ofRun(): TurnKeeper {
    return {
      save: (state) => this.save(TurnState.parse(state)),
      saveCompaction: async (_, state) => state,
      startEpoch: async (_, reason, state) => await this.startEpoch([], reason, TurnState.parse(state)),
    };
  }

  #kept(state: TurnState): TurnState {
    const kept = this.afterEvent(state);
    this.saved.push(kept);
    return kept;
  }
}
