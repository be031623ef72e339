/** What a turn keeps of its conversation, in terms of the Messages API, over the keeper of its run. */
import type { OpaqueBlock } from "../../model/messages.ts";
import type { ConversationEvent, NewCompaction, TurnKeeper } from "../turn.ts";
import { type ConversationTurn, type Guidance, NO_CUT, TurnState } from "./conversation.ts";
import { turnRows } from "./stored-turns.ts";

/** A summary of earlier turns, as the provider wrote it. */
export type Summary = Omit<NewCompaction, "block" | "facts"> & {
  readonly block: OpaqueBlock;
  /** What was still to be done at the end of the turns that it covers. */
  readonly guidance: Guidance;
};

/** `TurnKeeper`, typed. */
export type ConversationKeeper = {
  save(state: TurnState): Promise<void>;
  saveCompaction(summary: Summary, state: TurnState): Promise<TurnState>;
  startEpoch(turns: readonly ConversationTurn[], reason: string, state: TurnState): Promise<TurnState>;
};

export const conversationKeeper = (keeper: TurnKeeper): ConversationKeeper => ({
  save: (state) => keeper.save(state),
  saveCompaction: async (summary, state) => TurnState.parse(await keeper.saveCompaction(newCompaction(summary), state)),
  startEpoch: async (turns, reason, state) =>
    TurnState.parse(await keeper.startEpoch(turns.map(turnRows), reason, state)),
});

/** The summary as it is stored: with the guidance, so that both hold, and cease to hold, together. */
export const newCompaction = ({ block, guidance, ...summary }: Summary): NewCompaction => ({
  ...summary,
  block: JSON.stringify({ ...block, guidance }),
});

/** What an event changes for later requests. `steps`: how many messages of the model, with thinking, the running turn already contains. */
export const afterEvent = (state: TurnState, event: ConversationEvent, steps: number): TurnState => {
  const { facts, toldBefore } = state;
  const stale = steps > 0 ? { staleSteps: steps } : {};
  return event.type === "context_compacted"
    ? { ...state, ...stale, facts: { ...facts, inputTokens: event.tokensAfter, noSummaryAt: 0 } }
    : {
        ...state,
        ...stale,
        // The turns of the new epoch have other messages than those that were cut.
        ...(toldBefore && { toldBefore: { ...toldBefore, cut: NO_CUT } }),
        facts: { ...facts, cut: NO_CUT, inputTokens: 0, noSummaryAt: 0, dropsBlocks: facts.dropsBlocks || steps > 0 },
      };
};
