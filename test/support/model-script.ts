/** Replies of a model that works, for tests to script: `scriptModel(url, [callTool("read_file", { path: "a" }), say("Done.")])`. */
import {
  blockFrames,
  closeMessage,
  openMessage,
  type ReplyBlock,
  type ReplyUsage,
} from "./model-server/message-frames.ts";
import type { StreamReply } from "./model-server/reply.ts";

/** How a message ends and what it cost. */
type MessageOptions = { stopReason?: string; usage?: Partial<ReplyUsage> };

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

/** The model thinks, signs it, then speaks. */
export const think = (thinking: string, text: string, signature = "c2lnbmF0dXJl"): StreamReply =>
  message([
    { type: "thinking", thinking, signature },
    { type: "text", text },
  ]);

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
