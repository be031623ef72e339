/**
 * What is sent when the provider refuses a conversation permanently. A thread must never have to be deleted to work again:
 * first its earlier turns are sent as plain text, without calls, results and thinking; if that fails, they are not sent.
 */
import type { ContentBlock, Message } from "../../model/messages.ts";
import { guidanceOf } from "./again/guidance.ts";
import {
  type ConversationTurn,
  isResumed,
  NO_CUT,
  type ResumeState,
  type TurnState,
  textBlock,
} from "./conversation.ts";

/** How a refused conversation continues, in the words shown in the transcript. */
export const RESETS = {
  plain: "The model's provider refused the conversation as it was. Earlier messages are sent to it as plain text now.",
  alone: "The model's provider refused the conversation as it was. Earlier messages are no longer sent to it.",
} as const;

/** A conversation about to be sent, and how it came to look that way. */
export type Sending = {
  readonly resumeState: ResumeState;
  readonly state: TurnState;
  readonly reset: keyof typeof RESETS | null;
};

/** The next plainer form, or undefined. `hasSteps`: the running turn already contains thinking that is bound to the old past. */
export const plainer = ({ resumeState, state, reset }: Sending, hasSteps: boolean): Sending | undefined => {
  if (reset === "alone" || !isResumed(resumeState)) return undefined;
  const isPlain = reset === null && resumeState.turns.length > 0;
  const { instructionsHash, ...facts } = state.facts;
  return {
    reset: isPlain ? "plain" : "alone",
    resumeState: {
      turns: isPlain ? plainTurns(resumeState) : [],
      ...{ compaction: undefined, hasOlder: false, facts: resumeState.facts },
      guidance: guidanceOf(resumeState, []),
    },
    state: {
      ...state,
      facts: {
        ...facts,
        ...{ dropsBlocks: hasSteps, cut: NO_CUT, inputTokens: 0 },
        // Without the turns, the project instructions that were given in them are gone too.
        instructionsHash: isPlain ? instructionsHash : null,
      },
    },
  };
};

/** The turns, with the summary of older ones in front of the first. */
const plainTurns = ({ turns, compaction }: ResumeState): ConversationTurn[] => {
  const summary = summaryOf(compaction);
  return turns.map((turn, index) => plainTurn(turn, index === 0 ? summary : []));
};

/** The prompt with its context and later notes, then everything that was answered as one text, if anything was. */
const plainTurn = ({ runId, model, messages }: ConversationTurn, before: readonly string[]): ConversationTurn => {
  const textsBy = (who: Message["role"]) =>
    messages.flatMap(({ role, content }) => (role === who ? content.filter((block) => block.type === "text") : []));
  const prompt = [...before.map(textBlock), ...textsBy("user")];
  const answer = textsBy("assistant")
    .map(({ text }) => text)
    .join("\n\n");
  const said: Message[] = answer.trim() === "" ? [] : [{ role: "assistant", content: [textBlock(answer)] }];
  return { runId, model, messages: [{ role: "user", content: prompt }, ...said] };
};

const summaryOf = (compaction: ContentBlock | undefined): string[] =>
  compaction?.type === "opaque" && typeof compaction.block.content === "string"
    ? [`[A summary of what was said before:]\n${compaction.block.content}`]
    : [];
