/** A thread's conversation as a turn resumes it, and what has to be remembered about how it was sent. */
import * as z from "zod";
import type { ContentBlock, Message } from "../model/messages.ts";

/** One earlier turn: its messages, repaired, and the model that wrote them. */
export type ConversationTurn = {
  readonly runId: string;
  readonly model: string;
  readonly messages: readonly Message[];
};

/**
 * Where a shortened conversation begins to be sent whole. Positions are remembered instead of sizes, so that a request goes on
 * from the one before and is not shortened anew at each step.
 */
const Cut = z.object({
  /** Results of tools before this message of this turn are left out. */
  resultsBefore: z.object({ runId: z.string(), message: z.int() }).nullable(),
  /** The first turn that is sent; null for all of them. */
  turnsFrom: z.string().nullable(),
  /** Of this turn, only the prompt and the messages from this one on are sent. */
  stepsFrom: z.object({ runId: z.string(), message: z.int() }).nullable(),
});
export type Cut = z.infer<typeof Cut>;

export const NO_CUT: Cut = { resultsBefore: null, turnsFrom: null, stepsFrom: null };

/**
 * What later requests of a conversation depend on beside its messages. Kept by the session from turn to turn, and by the run
 * while a turn goes on.
 */
export const ConversationFacts = z.object({
  /** Hash of the system prompt and the tools that the conversation was sent with; null when that is not known. */
  prefixHash: z.string().nullable(),
  /**
   * Whether the provider may drop thinking that no longer fits: it was made under other tools, another model, or before
   * something was left out. It stays so: the API remembers nothing between requests.
   */
  dropsBlocks: z.boolean(),
  /** Hash of the project instructions that the model was last given; null when it has none before it. */
  instructionsHash: z.string().nullable(),
  cut: Cut,
  /** What the provider has shown to be too long, in bytes; null when nothing was. */
  maxBytes: z.int().nullable(),
  /** Tokens that the next request has at the least, as the provider counted; 0 when nothing was sent yet. */
  inputTokens: z.int(),
});
export type ConversationFacts = z.infer<typeof ConversationFacts>;

export const NO_FACTS: ConversationFacts = {
  prefixHash: null,
  dropsBlocks: false,
  instructionsHash: null,
  cut: NO_CUT,
  maxBytes: null,
  inputTokens: 0,
};

/** A thread's conversation as a turn resumes it, oldest turn first. */
export type ResumeState = {
  /** The turns behind `compaction`, or all of them. */
  readonly turns: readonly ConversationTurn[];
  /** The provider's summary of everything before `turns`. */
  readonly compaction: ContentBlock | undefined;
  /** There are older turns that were not loaded. */
  readonly hasOlder: boolean;
  readonly facts: ConversationFacts;
};

/** Of a thread's first turn. */
export const NO_RESUME_STATE: ResumeState = { turns: [], compaction: undefined, hasOlder: false, facts: NO_FACTS };

/** Whether the conversation already holds something. */
export const isResumed = ({ turns, compaction, hasOlder }: ResumeState): boolean =>
  turns.length > 0 || compaction !== undefined || hasOlder;

/** What a turn remembers of its own requests, through crashes and waits. */
export const TurnState = z.object({
  /** The text before the prompt; empty for a turn that was begun without one. */
  context: z.string(),
  facts: ConversationFacts,
  /** Texts that stand behind the results of a step, by the step's number. */
  notes: z.record(z.string(), z.string()),
  /** The session's notices that this run has told. */
  told: z.array(z.int()),
});
export type TurnState = z.infer<typeof TurnState>;

/** The messages of a turn so far, as they are sent: context and notes stand where they were first sent. */
export const withContext = (messages: readonly Message[], { context, notes }: TurnState): Message[] => {
  let step = 0;
  return messages.map((message, index) => {
    if (message.role === "assistant") {
      step += 1;
      return message;
    }
    const note = index === 0 ? undefined : notes[step];
    if (index === 0 && context !== "") return { ...message, content: [textBlock(context), ...message.content] };
    return note === undefined ? message : { ...message, content: [...message.content, textBlock(note)] };
  });
};

/** A text as a block. */
export const textBlock = (text: string): ContentBlock => ({ type: "text", text });

/** Neighbours of the same role as one message, empty ones left out: the API wants roles to take turns. */
export const joinRoles = (messages: readonly Message[]): Message[] => {
  const joined: Message[] = [];
  for (const { role, content } of messages) {
    const last = joined.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else joined.push({ role, content: [...content] });
  }
  return joined;
};
