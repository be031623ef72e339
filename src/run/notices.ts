/** What happened to a thread's conversation outside any run, or in one that died: the next attempt of a run tells it. */
import * as z from "zod";
import { TranscriptEvent } from "../contract/transcript.ts";
import { type ConversationFacts, NO_CUT, type TurnState } from "../harness/conversation.ts";
import type { Notice } from "../session/conversation-store.ts";
import type { Ledger } from "./ledger.ts";
import { modelOf } from "./run-state.ts";

/** The model that wrote a summary, where the event is one. */
const Priced = z.looseObject({ model: z.string().exactOptional() });

/**
 * The events of notices that this run has not told, and the turn's state with that noted. A summary is paid for by the run
 * that tells of it. In the caller's transaction.
 */
export const tell = (ledger: Ledger, notices: readonly Notice[], state: TurnState): TranscriptEvent[] => {
  const fresh = notices.filter(({ id }) => !state.told.includes(id));
  const hasSteps = ledger.checkpoints.steps() > 0;
  let { facts } = state;
  const events = fresh.map(({ event: json }) => {
    const raw: unknown = JSON.parse(json);
    const event = TranscriptEvent.parse(raw);
    facts = factsAfter(facts, event, hasSteps);
    if (event.type === "context_compacted") {
      const model = Priced.parse(raw).model ?? modelOf(ledger.record().state) ?? "";
      ledger.spending.add(event.trigger === "manual" ? "by hand" : "compaction", event.usage, model);
    }
    return event;
  });
  ledger.turnState.save({ ...state, facts, told: [...state.told, ...fresh.map(({ id }) => id)] });
  return events;
};

/** What a notice changes for later requests: the attempt that knew may have died. `hasSteps`: the running turn has thought already. */
const factsAfter = (facts: ConversationFacts, event: TranscriptEvent, hasSteps: boolean): ConversationFacts => {
  switch (event.type) {
    case "context_compacted":
      return { ...facts, inputTokens: event.tokensAfter };
    case "context_reset":
      return { ...facts, cut: NO_CUT, inputTokens: 0, dropsBlocks: facts.dropsBlocks || hasSteps };
    default:
      return facts;
  }
};
