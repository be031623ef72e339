/**
 * A keeper in memory: what a turn keeps of its requests, and what it has the session do. It stands in for nothing of ours: a
 * turn takes its keeper as an argument, and the one of a run is tested with its storage.
 */
import type { ConversationTurn, TurnState } from "../../src/harness/conversation.ts";
import type { NewCompaction, TurnKeeper } from "../../src/harness/turn-keeper.ts";

/** Records one turn. */
export class RecordingKeeper implements TurnKeeper {
  /** Each state that was kept, oldest first. */
  readonly saved: TurnState[] = [];
  readonly compactions: NewCompaction[] = [];
  readonly epochs: { readonly turns: readonly ConversationTurn[]; readonly reason: string }[] = [];

  async save(state: TurnState): Promise<void> {
    this.saved.push(state);
  }

  async saveCompaction(compaction: NewCompaction, state: TurnState): Promise<TurnState> {
    this.compactions.push(compaction);
    return this.#told(state);
  }

  async startEpoch(turns: readonly ConversationTurn[], reason: string, state: TurnState): Promise<TurnState> {
    this.epochs.push({ turns, reason });
    return this.#told(state);
  }

  #told(state: TurnState): TurnState {
    const told = { ...state, told: [...state.told, state.told.length + 1] };
    this.saved.push(told);
    return told;
  }
}
