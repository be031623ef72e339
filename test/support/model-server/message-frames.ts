/** The events of one model message, as the Messages API sends them. */
import type { Frame } from "./reply.ts";

/**
 * A block of the message. Text comes in `deltas` pieces (default 1), tool input always in two. Thinking is signed by the
 * server; a `signature` is sent as it is, and no later request can prove it. `opaque` is any block, sent whole.
 */
export type ReplyBlock =
  | { type: "text"; text: string; deltas?: number; delayMs?: number }
  | { type: "thinking"; thinking: string; signature?: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: Readonly<Record<string, unknown>> }
  | { type: "opaque"; block: { readonly type: string } & Readonly<Record<string, unknown>> };

/** Token counts of a message; what is not given is small and constant, so that sums can be asserted. `geo`: where the model ran. */
export type ReplyUsage = { input: number; output: number; cacheRead: number; cacheWrite: number; geo?: string };

/** How a reply says what it cost: figures, or what the server counts, prompt cache and all. */
export type UsageOption = Partial<ReplyUsage> | "counted";

/** A placeholder for the server's counts. */
export const COUNTED = "counted";

const DEFAULT_USAGE: ReplyUsage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };

/** One SSE event as a frame. */
export const event = (type: string, fields: Readonly<Record<string, unknown>> = {}): Frame => ({
  type: "event",
  event: { type, ...fields },
});

/** Figures as the wire spells them. */
export const wireUsage = ({ input, output, cacheRead, cacheWrite, geo }: ReplyUsage) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
  ...(geo !== undefined && { inference_geo: geo }),
});

/** The server puts in the model that was asked for, and what became of the request's thinking. */
const messageStart = (usage: unknown): Frame =>
  event("message_start", {
    message: {
      id: `msg_${crypto.randomUUID()}`,
      type: "message",
      role: "assistant",
      model: "claude-scripted",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });

/** `message_start` and the ping that the API sends behind it. */
export const openMessage = (usage: UsageOption = {}): Frame[] => {
  if (usage === COUNTED) return [messageStart(COUNTED), event("ping")];
  return [messageStart(wireUsage({ ...DEFAULT_USAGE, ...usage, output: 1 })), event("ping")];
};

/** A refusal names its policy area (https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback). */
const stopped = (stopReason: string) => ({
  ...{ stop_reason: stopReason, stop_sequence: null },
  ...(stopReason === "refusal" && { stop_details: { type: "refusal", category: "cyber", explanation: null } }),
});

/** `message_delta` with the stop reason and the final usage, then `message_stop`. */
export const closeMessage = (stopReason: string, usage: UsageOption = {}): Frame[] => [
  event("message_delta", {
    delta: stopped(stopReason),
    usage: usage === COUNTED ? COUNTED : { output_tokens: usage.output ?? DEFAULT_USAGE.output },
  }),
  event("message_stop"),
];

/** Frames of a reply to a request for a summary. What it cost is in `iterations` alone: no answer was written. */
export const summaryFrames = (blocks: readonly Frame[], stopReason: string, usage: UsageOption = {}): Frame[] => {
  const { geo, ...given } = usage === COUNTED ? {} : usage;
  const cost = usage === COUNTED ? COUNTED : { type: "compaction", ...wireUsage({ ...DEFAULT_USAGE, ...given }) };
  const nothing = wireUsage({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...(geo !== undefined && { geo }) });
  return [
    messageStart(nothing),
    event("ping"),
    ...blocks,
    event("message_delta", {
      delta: stopped(stopReason),
      usage: { ...nothing, iterations: [cost] },
    }),
    event("message_stop"),
  ];
};

/** A text delta of the block at `index`. */
export const textDelta = (index: number, text: string): Frame =>
  event("content_block_delta", { index, delta: { type: "text_delta", text } });

/** Opens an empty text block at `index`. */
export const openText = (index: number): Frame =>
  event("content_block_start", { index, content_block: { type: "text", text: "" } });

/** Closes the block at `index`. */
export const closeBlock = (index: number): Frame => event("content_block_stop", { index });

/** Opens a call at `index`; its input follows as `inputDelta`s. */
export const openToolUse = (index: number, id: string, name: string): Frame =>
  event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } });

/** A piece of a call's input, which is JSON only once all pieces are there. */
export const inputDelta = (index: number, json: string): Frame =>
  event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: json } });

/** Cuts a text into `count` pieces of nearly equal length, never inside a code point; fewer when it is shorter. */
const cutInto = (text: string, count: number): string[] => {
  const points = Array.from(text);
  const size = Math.max(1, Math.ceil(points.length / count));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, piece) =>
    points.slice(piece * size, (piece + 1) * size).join(""),
  );
};

/** All events of the block at `index`. */
export const blockFrames = (block: ReplyBlock, index: number): Frame[] => {
  switch (block.type) {
    case "text": {
      const pause: Frame[] = block.delayMs === undefined ? [] : [{ type: "pause", ms: block.delayMs }];
      const deltas = cutInto(block.text, block.deltas ?? 1).flatMap((text) => [textDelta(index, text), ...pause]);
      return [openText(index), ...deltas, closeBlock(index)];
    }
    case "thinking":
      return [
        event("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } }),
        ...(block.thinking === "" ? [] : [{ type: "thinking" as const, index, text: block.thinking }]),
        block.signature === undefined
          ? { type: "sign", index }
          : event("content_block_delta", { index, delta: { type: "signature_delta", signature: block.signature } }),
        closeBlock(index),
      ];
    case "redacted_thinking":
      return [
        event("content_block_start", { index, content_block: { type: "redacted_thinking", data: block.data } }),
        closeBlock(index),
      ];
    case "opaque":
      return [event("content_block_start", { index, content_block: block.block }), closeBlock(index)];
    case "tool_use": {
      const input = JSON.stringify(block.input);
      const half = Math.ceil(input.length / 2);
      return [
        openToolUse(index, block.id, block.name),
        inputDelta(index, ""),
        inputDelta(index, input.slice(0, half)),
        inputDelta(index, input.slice(half)),
        closeBlock(index),
      ];
    }
  }
};
