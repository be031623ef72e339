/** Fits a conversation into the model's window. Only the request is shortened: the store keeps everything. */
import type { ContentBlock, Message } from "../model/messages.ts";

/** One earlier turn: its messages, repaired, and the model that wrote them. */
export type ConversationTurn = { readonly model: string; readonly messages: readonly Message[] };

/** A thread's conversation as a turn resumes it, oldest turn first. `hasOlder`: there are turns that were not loaded. */
export type ResumeState = { readonly turns: readonly ConversationTurn[]; readonly hasOlder: boolean };

/** Of a thread's first turn. */
export const NO_RESUME_STATE: ResumeState = { turns: [], hasOlder: false };

/** The window every current model of the provider has at least, in tokens. */
const WINDOW_TOKENS = 200_000;

/** Share of the window that input may fill; the rest is for the answer and for the error of the estimate. */
const INPUT_SHARE = 0.7;

/** What is sent of the earlier turns after the provider found the prompt too long, of what was sent before. */
const SHORTENED_SHARE = 0.5;

/** UTF-8 bytes a token has at the least, on average: English has about four, other scripts about three. */
const BYTES_PER_TOKEN = 3;

/** Newest earlier turns whose tool results are kept when room is short. */
const TURNS_WITH_RESULTS = 3;

const RESULT_REMOVED = "[result removed]";

const TURNS_LEFT_OUT = "[Earlier turns of this conversation are left out here because it has become too long.]";

/**
 * The messages to send: earlier turns, then the turn's own. Over the budget, tool results older than three turns are
 * removed first, then the oldest whole turns, and the model is told. `overheadBytes` counts system prompt and tools.
 */
export const fitConversation = (
  { turns: earlier, hasOlder }: ResumeState,
  current: readonly Message[],
  options: { readonly model: string; readonly overheadBytes: number; readonly isShortened: boolean },
): Message[] => {
  const budgetBytes = WINDOW_TOKENS * INPUT_SHARE * BYTES_PER_TOKEN - options.overheadBytes - sizeOf(current);
  const turns = earlier.map((turn) => (turn.model === options.model ? turn.messages : withoutThinking(turn.messages)));
  const wholeBytes = total(turns);
  const roomBytes = options.isShortened ? Math.min(budgetBytes, wholeBytes) * SHORTENED_SHARE : budgetBytes;
  if (wholeBytes <= roomBytes) return joinRoles([...noticeIf(hasOlder), ...turns.flat(), ...current]);

  const oldest = turns.length - TURNS_WITH_RESULTS;
  const slim = turns.map((messages, index) => (index < oldest ? withoutResults(messages) : messages));
  let room = roomBytes;
  const lastLeftOut = slim.findLastIndex((messages) => {
    room -= sizeOf(messages);
    return room < 0;
  });
  const kept = slim.slice(lastLeftOut + 1);
  return joinRoles([...noticeIf(hasOlder || kept.length < slim.length), ...kept.flat(), ...current]);
};

const noticeIf = (isShort: boolean): Message[] =>
  isShort ? [{ role: "user", content: [{ type: "text", text: TURNS_LEFT_OUT }] }] : [];

/** Neighbours of the same role as one message, empty ones left out: the API wants roles to take turns. */
const joinRoles = (messages: readonly Message[]): Message[] => {
  const joined: Message[] = [];
  for (const { role, content } of messages) {
    const last = joined.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else joined.push({ role, content: [...content] });
  }
  return joined;
};

const withoutResults = (messages: readonly Message[]): Message[] =>
  mapBlocks(messages, (block) => (block.type === "tool_result" ? [{ ...block, content: RESULT_REMOVED }] : [block]));

const withoutThinking = (messages: readonly Message[]): Message[] =>
  mapBlocks(messages, (block) => (block.type === "thinking" || block.type === "redacted_thinking" ? [] : [block]));

const mapBlocks = (messages: readonly Message[], change: (block: ContentBlock) => ContentBlock[]): Message[] =>
  messages.map((message) => ({ role: message.role, content: message.content.flatMap(change) }));

const total = (turns: readonly (readonly Message[])[]): number =>
  turns.reduce((sum, messages) => sum + sizeOf(messages), 0);

const encoder = new TextEncoder();

/** Bytes of the messages as they go over the wire. */
const sizeOf = (messages: readonly Message[]): number => encoder.encode(JSON.stringify(messages)).byteLength;
