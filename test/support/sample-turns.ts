/** Turns to make conversations of, by hand: what was asked, read and answered in them, and how large it was. */
import { type ConversationTurn, NO_CUT } from "../../src/harness/anthropic/conversation.ts";
import type { SentConversation } from "../../src/harness/anthropic/shorten-conversation.ts";
import type { ContentBlock, Message } from "../../src/model/messages.ts";

const MODEL = "claude-sonnet-5-5";

/** A text as a block. */
export const text = (words: string): ContentBlock => ({ type: "text", text: words });

/** A message of the person. */
export const asked = (...words: readonly string[]): Message => ({ role: "user", content: words.map(text) });

/** A text of the app as a block. */
export const ours = (words: string): ContentBlock => ({ type: "text", text: words, isOurs: true });

/** A message of the person behind a context of the app. */
export const askedBehind = (context: string, words: string): Message => ({
  role: "user",
  content: [ours(context), text(words)],
});

/** A message of the model without calls. */
export const answered = (words: string): Message => ({ role: "assistant", content: [text(words)] });

/** A step in which one file was read: the call, which its path names, and what it returned. */
export const readStep = (path: string, result: string): Message[] => [
  { role: "assistant", content: [{ type: "tool_use", id: `toolu_${path}`, name: "read_file", input: { path } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${path}`, content: result }] },
];

/** A turn of these messages. */
export const turnOf = (runId: string, messages: readonly Message[], model = MODEL): ConversationTurn => ({
  runId,
  model,
  messages,
});

/** A turn of a prompt and an answer: "Ask r1" and "Answer r1" by default. */
export const saidTurn = (runId: string, answer = `Answer ${runId}`, model = MODEL): ConversationTurn =>
  turnOf(runId, [asked(`Ask ${runId}`), answered(answer)], model);

/** A turn in which files were read, each of the given length: `readTurn("r1", [100])` reads `r1-0`, 100 characters. */
export const readTurn = (runId: string, lengths: readonly number[], model = MODEL): ConversationTurn => {
  const steps = lengths.flatMap((length, index) => readStep(`${runId}-${index}`, "x".repeat(length)));
  return turnOf(runId, [asked(`Ask ${runId}`), ...steps, answered(`Answer ${runId}`)], model);
};

/** A conversation of these turns, the last of which is running, with nothing left out. */
export const conversationOf = (
  turns: readonly ConversationTurn[],
  more: Partial<SentConversation> = {},
): SentConversation => ({ turns, compaction: undefined, hasOlder: false, cut: NO_CUT, ...more });

/** All texts of a conversation in order. */
export const textsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "text" ? [block.text] : [])));

/** What all calls returned, in order. */
export const resultsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "tool_result" ? [block.content] : [])));
