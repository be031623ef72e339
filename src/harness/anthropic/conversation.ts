/** A thread's conversation as a turn resumes it, and what must be remembered about how it was sent. */
import * as z from "zod";
import { Todo } from "../../contract/guidance/todo.ts";
import type { ContentBlock, Message } from "../../model/messages.ts";

/** One earlier turn: its messages, repaired, and the model that wrote them. */
export type ConversationTurn = {
  readonly runId: string;
  readonly model: string;
  readonly messages: readonly Message[];
};

/**
 * Where the part of a shortened conversation that is sent whole begins. Positions are stored instead of sizes, so that each
 * request extends the one before it and the conversation is not shortened again at every step.
 */
const Cut = z.object({
  /** Tool results before this message of this turn are left out. */
  resultsBefore: z.object({ runId: z.string(), message: z.int() }).nullable(),
  /** The first turn that is sent; null for all of them. */
  turnsFrom: z.string().nullable(),
  /** Of this turn, only the prompt and the messages from this one on are sent. */
  stepsFrom: z.object({ runId: z.string(), message: z.int() }).nullable(),
  /** The newest turn for which something was left out. Earlier releases did not keep it. */
  by: z.string().exactOptional(),
});

export type Cut = z.infer<typeof Cut>;

export const NO_CUT: Cut = { resultsBefore: null, turnsFrom: null, stepsFrom: null };

/**
 * What later requests of a conversation depend on besides its messages. Kept by the session between turns, and by the run
 * during a turn.
 */
export const ConversationFacts = z.object({
  /** Hash of the system prompt and the tools that the conversation was sent with; null when unknown. */
  prefixHash: z.string().nullable(),
  /**
   * Whether the provider may drop thinking that no longer fits: it was made with other tools, with another model, or before
   * something was left out. Once true it stays true, because the API remembers nothing between requests.
   */
  dropsBlocks: z.boolean(),
  /** Hash of the project instructions last given to the model; null when it has none. */
  instructionsHash: z.string().nullable(),
  cut: Cut,
  /** A size in bytes that the provider has found too long; null when there was none. */
  maxBytes: z.int().nullable(),
  /** Lower bound of the next request's tokens, as counted by the provider; 0 if unknown. An earlier release could keep less than 0. */
  inputTokens: z.int().nonnegative().catch(0),
  /** Size in tokens of the conversation for which a summary failed last. 0 or absent: none has failed since the newest summary. */
  noSummaryAt: z.int().exactOptional(),
  /** The model has been told what the person undid up to this time, in epoch ms. */
  undoneUpToMs: z.int().default(0),
  /** Where the last turn that is sent worked; the thread may leave that directory. Earlier releases kept it only until they had said so. */
  movedFrom: z.string().exactOptional(),
  /**
   * The effort of the last turn, if the person chose one. With another effort, a request misses what that turn put into the provider's
   * cache.
   */
  effort: z.string().exactOptional(),
});

export type ConversationFacts = z.infer<typeof ConversationFacts>;

export const NO_FACTS: ConversationFacts = {
  prefixHash: null,
  dropsBlocks: false,
  instructionsHash: null,
  cut: NO_CUT,
  maxBytes: null,
  inputTokens: 0,
  undoneUpToMs: 0,
};

/** What is still to be done. Both fields are absent once all to-dos are done. */
export const Guidance = z.object({
  todos: z.array(Todo).exactOptional(),
  /** Markdown, as the person accepted it. */
  plan: z.string().exactOptional(),
});
export type Guidance = z.infer<typeof Guidance>;

/** A thread's conversation as a turn resumes it, oldest turn first. */
export type ResumeState = {
  /** The turns after `compaction`, or all of them. */
  readonly turns: readonly ConversationTurn[];
  /** The provider's summary of everything before `turns`. */
  readonly compaction: ContentBlock | undefined;
  /** There are older turns that were not loaded. */
  readonly hasOlder: boolean;
  readonly facts: ConversationFacts;
  /** The to-dos and the plan from before `turns`: of what `compaction` covers, or of turns that are no longer sent. */
  readonly guidance?: Guidance | undefined;
};

/** The resume state of a thread's first turn. */
export const NO_RESUME_STATE: ResumeState = { turns: [], compaction: undefined, hasOlder: false, facts: NO_FACTS };

/** Whether the conversation already contains anything. */
export const isResumed = ({ turns, compaction, hasOlder }: ResumeState): boolean =>
  turns.length > 0 || compaction !== undefined || hasOlder;

/** What a turn remembers about its own requests, across crashes and waits. */
export const TurnState = z.object({
  /** The text before the prompt; empty for a turn that began without one. */
  context: z.string(),
  facts: ConversationFacts,
  /** Texts that follow the results of a step, by the step's number. */
  notes: z.record(z.string(), z.string()),
  /**
   * What was still to be done before this turn, if the turn says it again: the messages that said it first may no longer be sent, or
   * loaded.
   */
  guidance: Guidance.exactOptional(),
  /** A summary has failed in this turn: it is not asked for again. */
  hasNoSummary: z.literal(true).exactOptional(),
  /** How many of the turn's first steps used tokens for what a summary, or a new epoch, has replaced since. */
  staleSteps: z.int().exactOptional(),
  /**
   * The facts that the turn's context changed, as they were before, and where the conversation was cut. They hold again if this turn is
   * left out. Earlier releases kept none of this, or no `cut`.
   */
  toldBefore: ConversationFacts.pick({ instructionsHash: true, undoneUpToMs: true, movedFrom: true })
    .extend({ cut: Cut.exactOptional() })
    .exactOptional(),
});

export type TurnState = z.infer<typeof TurnState>;

/** The turn's messages so far, as they are sent: context and notes stay where they were first sent. */
export const withContext = (messages: readonly Message[], { context, notes, guidance }: TurnState): Message[] => {
  let step = 0;
  return messages.map((message, index) => {
    if (message.role === "assistant") {
      step += 1;
      return message;
    }
    const note = index === 0 ? undefined : notes[step];
    if (index === 0 && context !== "")
      return { ...message, content: [ourBlock(context, guidance), ...message.content] };
    return note === undefined ? message : { ...message, content: [...message.content, ourBlock(note)] };
  });
};

/** The state with further texts of ours, after what is already said at this step; step 0 is the context. */
export const withTexts = (state: TurnState, step: number, texts: readonly string[]): TurnState => {
  const before = step === 0 ? state.context : state.notes[step];
  const text = [...(before === undefined ? [] : [before]), ...texts].join("\n");
  return step === 0 ? { ...state, context: text } : { ...state, notes: { ...state.notes, [step]: text } };
};

/** A text as a block. */
export const textBlock = (text: string): ContentBlock => ({ type: "text", text });

/** A text from the app to the model, as a block. */
const ourBlock = (text: string, holds?: Guidance): ContentBlock => ({
  ...{ type: "text", text, isOurs: true },
  ...(holds && { holds }),
});

/** Whether the app itself says these words in a message. A person or a model may write them too; that does not count. */
export const saysOurselves = ({ content }: Message, words: string): boolean =>
  content.some((block) => block.type === "text" && block.isOurs === true && block.text.includes(words));

/** Joins neighbouring messages of the same role and drops empty ones: the API wants the roles to alternate. */
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

const NOT_IN_A_NAME = /[^a-zA-Z0-9_-]/;

const EACH_NOT_IN_A_NAME = /[^a-zA-Z0-9_-]/g;

const MAX_NAME_LENGTH = 128;

/**
 * A tool's name in a form that the API accepts when it is sent back (API docs, "Messages"). A model that invents a tool
 * invents a name for it, such as `functions.read_file`; sent back unchanged, it would make the API refuse the thread forever.
 * A changed name never equals the name of an existing tool.
 */
export const acceptedName = (name: string): string => {
  const isAccepted = name !== "" && name.length <= MAX_NAME_LENGTH && !NOT_IN_A_NAME.test(name);
  return isAccepted ? name : `unknown_${name.replaceAll(EACH_NOT_IN_A_NAME, "_")}`.slice(0, MAX_NAME_LENGTH);
};
