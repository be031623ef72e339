/** Replies of a model that works, for tests to script: `scriptModel(url, [callTool("read_file", { path: "a" }), say("Done.")])`. */
import {
  blockFrames,
  closeBlock,
  closeMessage,
  openMessage,
  type ReplyBlock,
  summaryFrames,
  type UsageOption,
} from "./model-server/message-frames.ts";
import type { Reply, StreamReply } from "./model-server/reply.ts";

/** How a message ends and what it cost; `usage: "counted"` is what the server counts, with a prompt cache. */
type MessageOptions = { stopReason?: string; usage?: UsageOption };

/** A call inside a reply. `id` is the provider's; a fresh one when it is not given. */
type ScriptedCall = { name: string; input: Readonly<Record<string, unknown>>; id?: string };

/** One whole message of any blocks, in order. The stop reason follows from the blocks unless it is given. */
export const message = (blocks: readonly ReplyBlock[], options: MessageOptions = {}): StreamReply => {
  const natural = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  return {
    type: "stream",
    frames: [
      ...openMessage(options.usage),
      ...blocks.flatMap(blockFrames),
      ...closeMessage(options.stopReason ?? natural, options.usage),
    ],
  };
};

/** A call block for `message`. */
export const toolUse = ({ name, input, id }: ScriptedCall): ReplyBlock => ({
  type: "tool_use",
  id: id ?? `toolu_${crypto.randomUUID()}`,
  name,
  input,
});

/** The model says one text and stops. `deltas`: in how many pieces; `delayMs`: between them, default none. */
export const say = (text: string, options: MessageOptions & { deltas?: number; delayMs?: number } = {}): StreamReply =>
  message([{ type: "text", text, ...pacing(options) }], options);

const pacing = ({ deltas, delayMs }: { deltas?: number; delayMs?: number }) => ({
  ...(deltas === undefined ? {} : { deltas }),
  ...(delayMs === undefined ? {} : { delayMs }),
});

/** The model calls several tools at once, after a text when one is given. */
export const callTools = (
  calls: readonly ScriptedCall[],
  options: MessageOptions & { text?: string } = {},
): StreamReply => {
  const text: ReplyBlock[] = options.text === undefined ? [] : [{ type: "text", text: options.text }];
  return message([...text, ...calls.map(toolUse)], options);
};

/** The model calls one tool. */
export const callTool = (name: string, input: Readonly<Record<string, unknown>>): StreamReply =>
  callTools([{ name, input }]);

/**
 * The model thinks, then speaks. The server signs what it thought while it answers; a `signature` is sent as it is, and
 * is refused when it comes back: for thinking that nobody can prove.
 */
export const think = (thinking: string, text: string, signature?: string): StreamReply =>
  message([thought(thinking, signature), { type: "text", text }]);

/** A thinking block for `message`. Its text is sent only where the request has thinking shown; it may be empty. */
export const thought = (thinking: string, signature?: string): ReplyBlock => ({
  type: "thinking",
  thinking,
  ...(signature !== undefined && { signature }),
});

/** A block of any kind, for `message`, sent whole: what the provider may add one day. It must come back unchanged. */
export const opaque = (block: { readonly type: string } & Readonly<Record<string, unknown>>): ReplyBlock => ({
  type: "opaque",
  block,
});

/** The model thinks what only the provider can read, then speaks. */
export const thinkRedacted = (data: string, text: string): StreamReply =>
  message([
    { type: "redacted_thinking", data },
    { type: "text", text },
  ]);

/** `count` deltas of one word each, as fast as they go: for benches and load. */
export const burst = (count: number): StreamReply => {
  const text = Array.from({ length: count }, () => "word ").join("");
  return message([{ type: "text", text, deltas: count }], { usage: { output: count } });
};

/** The provider paused a long turn: it wants the message back as it is, and goes on. */
export const pauseTurn = (text: string): StreamReply => say(text, { stopReason: "pause_turn" });

/** The model refuses; what it said so far counts as the answer. */
export const refuse = (text: string): StreamReply => say(text, { stopReason: "refusal" });

/** Turns any reply into one to a request for a summary; those are played separately from the calls of turns. */
export const toCompaction = <R extends Reply>(reply: R): R => ({ ...reply, answers: "compaction" });

/** The same for a request for a title. */
export const toTitle = <R extends Reply>(reply: R): R => ({ ...reply, answers: "title" });

/** How a summary is sent. `fields` are those of the SDK's type that the API leaves out so far: `encrypted_content: null`. */
type SummaryOptions = {
  inDelta?: boolean;
  fields?: Readonly<Record<string, unknown>>;
  usage?: UsageOption;
};

/**
 * A summary of all that the request holds, signed by the server. It comes whole in `content_block_start`, as the API
 * sends it on demand; `inDelta` sends it as the SDK also reads it, in a `compaction_delta`.
 */
export const summary = (content: string, options: SummaryOptions = {}): StreamReply => {
  const { inDelta = false, fields = {} } = options;
  const block = { type: "summary" as const, index: 0, content, inDelta, fields: { ...fields } };
  return toCompaction({ type: "stream", frames: summaryFrames([block, closeBlock(0)], "compaction", options.usage) });
};

/** No summary is made: 200 without content, with a reason such as `max_tokens`, `refusal`, `tool_use`. */
export const noSummary = (stopReason: string): StreamReply =>
  toCompaction({ type: "stream", frames: summaryFrames([], stopReason) });
