/**
 * What is sent when the provider refuses a conversation permanently. A thread must never have to be deleted to work again:
 * first its earlier turns are sent as plain text, without calls, results and thinking; if that fails, they are not sent.
 */
import type { ContentBlock, Message } from "../../model/messages.ts";
import { EARLIER_IS_GONE } from "../turn-context.ts";
import { guidanceOf, guidanceTexts, saidIn } from "./again/guidance.ts";
import { calledBlock } from "./again/left-out.ts";
import {
  type ConversationTurn,
  isResumed,
  NO_CUT,
  type ResumeState,
  type TurnState,
  textBlock,
  withContext,
} from "./conversation.ts";
import { writtenIn } from "./said-meanwhile.ts";
import { TURNS_LEFT_OUT } from "./shorten-conversation.ts";

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

/** The next plainer form of a turn with these messages so far, or undefined. */
export const plainer = ({ resumeState, state, reset }: Sending, current: readonly Message[]): Sending | undefined => {
  if (reset === "alone" || !isResumed(resumeState)) return undefined;
  const isPlain = reset === null && resumeState.turns.length > 0;
  const other: ResumeState = {
    turns: isPlain ? plainTurns(resumeState) : [],
    ...{ compaction: undefined, hasOlder: false, facts: resumeState.facts },
    guidance: guidanceOf(resumeState, []),
  };
  const plainState: TurnState = {
    ...state,
    facts: {
      ...state.facts,
      // The running turn may contain thinking that is bound to the old past.
      ...{ dropsBlocks: current.length > 1, cut: NO_CUT, inputTokens: 0 },
    },
  };
  return {
    reset: isPlain ? "plain" : "alone",
    resumeState: other,
    state: saidIn(plainState, other, current, lostTexts(other, plainState, current, isPlain)),
  };
};

/**
 * The guidance that would be lost, and that earlier turns are gone if they are, said in the same request: the turn may end with its
 * answer. Nothing may be added after a paused answer.
 */
const lostTexts = (other: ResumeState, state: TurnState, current: readonly Message[], hasTurns: boolean): string[] => {
  if (current.at(-1)?.role === "assistant") return [];
  const sent = [...other.turns.flatMap(({ messages }) => messages), ...withContext(current, state)];
  return [...(hasTurns ? [] : [EARLIER_IS_GONE]), ...guidanceTexts(guidanceOf(other, current), sent)];
};

/** The turns; in front of the first the summary of older ones, and that some are left out if they are. */
const plainTurns = ({ turns, compaction, hasOlder }: ResumeState): ConversationTurn[] => {
  const before = [...summaryOf(compaction), ...(hasOlder ? [TURNS_LEFT_OUT] : [])];
  return turns.map((turn, index) => plainTurn(turn, index === 0 ? before : []));
};

/** The prompt with its context, later notes and what was called, then everything that was answered as one text, if anything was. */
const plainTurn = ({ runId, model, messages }: ConversationTurn, before: readonly string[]): ConversationTurn => {
  const prompt = [...before.map(textBlock), ...messages.flatMap(wordsOfUser), ...calledBlock(messages)];
  const answer = messages
    .flatMap(({ role, content }) => (role === "assistant" ? content.filter((block) => block.type === "text") : []))
    .map(({ text }) => text)
    .join("\n\n");
  const said: Message[] = answer.trim() === "" ? [] : [{ role: "assistant", content: [textBlock(answer)] }];
  return { runId, model, messages: [{ role: "user", content: prompt }, ...said] };
};

/** The texts of the app, and what the person wrote. */
const wordsOfUser = (message: Message): ContentBlock[] =>
  message.role === "assistant"
    ? []
    : message.content.flatMap((block) =>
        block.type === "text" ? [block] : writtenIn({ ...message, content: [block] }),
      );

const summaryOf = (compaction: ContentBlock | undefined): string[] =>
  compaction?.type === "opaque" && typeof compaction.block.content === "string"
    ? [`[A summary of what was said before:]\n${compaction.block.content}`]
    : [];
