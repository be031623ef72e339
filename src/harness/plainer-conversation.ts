/**
 * What is sent when the provider refuses a conversation for good. A thread must never have to be deleted to work again: first
 * its earlier turns are sent as plain text, without calls, results and thinking, then not at all.
 */
import type { ContentBlock, Message } from "../model/messages.ts";
import {
  type ConversationTurn,
  isResumed,
  NO_CUT,
  type ResumeState,
  type TurnState,
  textBlock,
} from "./conversation.ts";

/** How a refused conversation goes on, in the words of the transcript. */
export const RESETS = {
  plain: "The model's provider refused the conversation as it was. Earlier messages are sent to it as plain text now.",
  alone: "The model's provider refused the conversation as it was. Earlier messages are no longer sent to it.",
} as const;

/** A conversation as it is about to be sent, and how it came to be so. */
export type Sending = {
  readonly resumeState: ResumeState;
  readonly state: TurnState;
  readonly reset: keyof typeof RESETS | null;
};

/** The next plainer one, or undefined. `hasSteps`: the running turn has thought already, behind another past. */
export const plainer = ({ resumeState, state, reset }: Sending, hasSteps: boolean): Sending | undefined => {
  if (reset === "alone" || !isResumed(resumeState)) return undefined;
  const isPlain = reset === null && resumeState.turns.length > 0;
  const { instructionsHash, ...facts } = state.facts;
  return {
    reset: isPlain ? "plain" : "alone",
    resumeState: {
      turns: isPlain ? plainTurns(resumeState) : [],
      ...{ compaction: undefined, hasOlder: false, facts: resumeState.facts },
    },
    state: {
      ...state,
      facts: {
        ...facts,
        ...{ dropsBlocks: hasSteps, cut: NO_CUT, inputTokens: 0 },
        // Without the turns, what was said in them of the project is gone, too.
        instructionsHash: isPlain ? instructionsHash : null,
      },
    },
  };
};

/** The turns, the summary of older ones in front of the first. */
const plainTurns = ({ turns, compaction }: ResumeState): ConversationTurn[] => {
  const summary = summaryOf(compaction);
  return turns.map((turn, index) => plainTurn(turn, index === 0 ? summary : []));
};

/** The prompt with its context and later notes, then all that was answered as one text, where anything was. */
const plainTurn = ({ runId, model, messages }: ConversationTurn, before: readonly string[]): ConversationTurn => {
  const textsBy = (who: Message["role"]) =>
    messages.flatMap(({ role, content }) => (role === who ? textsOf(content) : []));
  const prompt = [...before, ...textsBy("user")].map(textBlock);
  const answer = textsBy("assistant").join("\n\n");
  const said: Message[] = answer.trim() === "" ? [] : [{ role: "assistant", content: [textBlock(answer)] }];
  return { runId, model, messages: [{ role: "user", content: prompt }, ...said] };
};

const textsOf = (content: readonly ContentBlock[]): string[] =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : []));

const summaryOf = (compaction: ContentBlock | undefined): string[] =>
  compaction?.type === "opaque" && typeof compaction.block.content === "string"
    ? [`[A summary of what was said before:]\n${compaction.block.content}`]
    : [];
