/**
 * Fits a conversation into the model's window when the provider cannot summarize it. Only the request is shortened: the store
 * keeps everything. Tool results are left out first, oldest first and including those of the running turn; then whole turns,
 * oldest first; then steps of the running turn. What people said and what was answered is kept longer than what tools found; what a person
 * wrote during a turn goes only with the whole turn.
 */
import type { ContentBlock, Message } from "../../model/messages.ts";
import { type ConversationTurn, type Cut, joinRoles, textBlock } from "./conversation.ts";
import { writtenIn } from "./said-meanwhile.ts";

/** Turns, oldest first. The last one, which is the running one if a turn runs, is never left out. */
export type SentConversation = {
  readonly turns: readonly ConversationTurn[];
  /** The provider's summary of everything before `turns`. */
  readonly compaction: ContentBlock | undefined;
  /** There are older turns that were not loaded. */
  readonly hasOlder: boolean;
  readonly cut: Cut;
};

const RESULT_REMOVED = "[result removed]";

export const TURNS_LEFT_OUT = "[Earlier turns of this conversation are left out here because it has become too long.]";

const STEPS_LEFT_OUT = "[The first steps of this turn are left out here because it has become too long.]";

/** The messages to send. As long as the cut does not move, each list of messages begins with the previous one. */
export const sentMessages = (conversation: SentConversation): Message[] => {
  const { turns, compaction, hasOlder, cut } = conversation;
  const first = firstTurn(conversation);
  const resultsFrom = positionOf(turns, cut.resultsBefore);
  const kept = turns.slice(first).flatMap((turn, index) => {
    const at = first + index;
    const slim = turn.messages.map((message, nth) =>
      at < resultsFrom.turn || (at === resultsFrom.turn && nth < resultsFrom.message)
        ? withoutResults(message)
        : message,
    );
    return turn.runId === cut.stepsFrom?.runId ? withoutSteps(slim, cut.stepsFrom.message) : slim;
  });
  const isShort = hasOlder || first > 0;
  const front: Message[] = compaction === undefined ? [] : [{ role: "assistant", content: [compaction] }];
  const notice: Message[] = isShort ? [{ role: "user", content: [textBlock(TURNS_LEFT_OUT)] }] : [];
  return [...front, ...joinRoles([...notice, ...kept])];
};

/**
 * The cut that reduces the conversation to at most half of `maxBytes`: a shortening that frees little would be needed again at
 * the next step. When even the last cut leaves more than half, the target is halfway between that and `maxBytes`, so that one
 * large message does not cost the thread everything else. What is already cut stays cut.
 */
export const shorten = (conversation: SentConversation, maxBytes: number): Cut => {
  const cuts = [conversation.cut, ...furtherCuts(conversation)];
  const last = cuts.length - 1;
  const sizeAt = (index: number) => sizeOfConversation({ ...conversation, cut: cuts[index] ?? conversation.cut });
  const leastBytes = sizeAt(last);
  const wantedBytes = leastBytes <= maxBytes / 2 ? maxBytes / 2 : (leastBytes + maxBytes) / 2;
  // Each cut leaves less than the one before. A thread can have thousands of cuts, so this is a binary search.
  let [from, to] = [0, last];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (sizeAt(middle) <= wantedBytes) to = middle;
    else from = middle + 1;
  }
  return cuts[from] ?? conversation.cut;
};

/** All cuts beyond the current one, in the order in which things are forgotten. */
const furtherCuts = (conversation: SentConversation): Cut[] => {
  const { turns } = conversation;
  const current = turns.at(-1);
  const cut: Cut = { ...conversation.cut, ...(current && { by: current.runId }) };
  const withResults = resultMarks(conversation).map((resultsBefore) => ({ ...cut, resultsBefore }));
  const slim = withResults.at(-1) ?? cut;
  const withTurns = turns.slice(firstTurn(conversation) + 1).map(({ runId }) => ({ ...slim, turnsFrom: runId }));
  const alone = withTurns.at(-1) ?? slim;
  const withSteps = current === undefined ? [] : stepMarks(current, cut).map((stepsFrom) => ({ ...alone, stepsFrom }));
  return [...withResults, ...withTurns, ...withSteps];
};

/** Bytes of the messages as sent over the wire. */
export const sizeOfConversation = (conversation: SentConversation): number =>
  sentMessages(conversation).reduce((sum, message) => sum + sizeOfMessage(message), 0);

/** Index of the first turn that is sent. If the turn of the cut was not loaded, all loaded turns come after it. */
export const firstTurn = ({ turns, cut }: Pick<SentConversation, "turns" | "cut">): number =>
  Math.max(
    0,
    turns.findIndex(({ runId }) => runId === cut.turnsFrom),
  );

/** A message of a turn. */
type Mark = NonNullable<Cut["resultsBefore"]>;

/** The position of a mark. If its turn was not loaded, it lies before everything that was. */
export const positionOf = (
  turns: readonly ConversationTurn[],
  mark: Mark | null,
): { turn: number; message: number } => {
  const turn = mark === null ? -1 : turns.findIndex(({ runId }) => runId === mark.runId);
  return { turn, message: turn < 0 ? 0 : (mark?.message ?? 0) };
};

/**
 * A mark after each message with results that are still sent whole, oldest first, but not after results that the model has not seen yet.
 */
const resultMarks = (conversation: SentConversation): Mark[] => {
  const { turns, cut } = conversation;
  const first = firstTurn(conversation);
  const from = positionOf(turns, cut.resultsBefore);
  const marks = turns.flatMap(({ runId, messages }, turn) =>
    messages.flatMap((message, index) => {
      const isBehind = turn < first || turn < from.turn || (turn === from.turn && index < from.message);
      return isBehind || !message.content.some(isLongResult) ? [] : [{ runId, message: index + 1 }];
    }),
  );
  const current = turns.at(-1);
  const newest = marks.at(-1);
  const isUnseen = newest?.runId === current?.runId && newest?.message === current?.messages.length;
  return isUnseen ? marks.slice(0, -1) : marks;
};

const isLongResult = (block: ContentBlock): boolean =>
  block.type === "tool_result" && block.isSaid !== true && block.content.length > RESULT_REMOVED.length;

/** Where the steps of the running turn begin, except the first and those already cut; the last step is always kept. */
const stepMarks = ({ runId, messages }: ConversationTurn, { stepsFrom }: Cut): Mark[] => {
  const from = stepsFrom?.runId === runId ? stepsFrom.message : 1;
  return messages.flatMap(({ role }, message) => (role === "assistant" && message > from ? [{ runId, message }] : []));
};

const withoutSteps = (messages: readonly Message[], from: number): Message[] => {
  const said = messages.slice(1, from).flatMap(writtenIn);
  const prompt = messages.slice(0, 1).map((message) => ({
    ...message,
    content: [...message.content, textBlock(STEPS_LEFT_OUT), ...said],
  }));
  return [...prompt, ...messages.slice(from)];
};

const withoutResults = (message: Message): Message => ({
  role: message.role,
  content: message.content.map((block) => (isLongResult(block) ? { ...block, content: RESULT_REMOVED } : block)),
});

const encoder = new TextEncoder();

/** Sizes of blocks already measured: every step of a turn measures the same messages. */
const sizes = new WeakMap<ContentBlock, number>();

const sizeOfMessage = ({ content }: Message): number => content.reduce((sum, block) => sum + sizeOfBlock(block), 32);

const sizeOfBlock = (block: ContentBlock): number => {
  const known = sizes.get(block);
  if (known !== undefined) return known;
  const size = encoder.encode(JSON.stringify(sentPart(block))).byteLength;
  sizes.set(block, size);
  return size;
};

/** The block without what only we know of it. */
const sentPart = (block: ContentBlock): object => {
  if (block.type === "text") return { type: block.type, text: block.text };
  return block.type === "tool_result" ? { ...block, isSaid: undefined } : block;
};
