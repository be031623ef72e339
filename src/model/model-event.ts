/** The stream events of the Messages API that the loop reads. Unknown events are dropped before; unknown blocks arrive as `opaque`. */
import * as z from "zod";
import type { Usage } from "../contract/run.ts";
import { OpaqueBlock } from "./messages.ts";

/** Far more than any call takes: the sum of a run's calls must stay a number that can be stored. */
export const MAX_TOKENS = 1_000_000_000;

const count = z.int().nonnegative().max(MAX_TOKENS).nullish();

/** Where the model ran. A place that costs no more is read as null. */
export const InferenceGeo = z.literal("us").nullish().catch(null);

/** Usage as on the wire; cumulative in `message_delta`. */
export const WireUsage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  inference_geo: InferenceGeo,
  /** Parts of the answer that the figures above do not include, such as a summary. */
  iterations: z.array(z.looseObject({ type: z.string() })).nullish(),
});
export type WireUsage = z.infer<typeof WireUsage>;

/** Later figures replace earlier ones: the API's are cumulative. */
export const mergeUsage = (usage: Usage, wire: WireUsage): Usage => ({
  ...usage,
  ...(wire.inference_geo && { inferenceGeo: wire.inference_geo }),
  inputTokens: wire.input_tokens ?? usage.inputTokens,
  outputTokens: wire.output_tokens ?? usage.outputTokens,
  cacheReadTokens: wire.cache_read_input_tokens ?? usage.cacheReadTokens,
  cacheWriteTokens: wire.cache_creation_input_tokens ?? usage.cacheWriteTokens,
});

const index = z.int().nonnegative();

/**
 * Blocks that can start. `tool_use.input` is always `{}` here: it arrives as `input_json_delta`. An unknown kind arrives as `opaque`,
 * so that it can be sent back (`read-model-event.ts`).
 */
const StartedBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().default("") }),
  z.object({ type: z.literal("thinking"), thinking: z.string().default(""), signature: z.string().optional() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.looseObject({ type: z.literal("tool_use"), id: z.string(), name: z.string() }),
  OpaqueBlock,
]);

const BlockDelta = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_delta"), text: z.string() }),
  z.object({ type: z.literal("thinking_delta"), thinking: z.string() }),
  z.object({ type: z.literal("signature_delta"), signature: z.string() }),
  z.object({ type: z.literal("input_json_delta"), partial_json: z.string() }),
  /** Any delta of an opaque block. */
  z.object({ type: z.literal("opaque_delta"), delta: z.looseObject({ type: z.string() }) }),
]);

/** One event of a model's stream. */
export const ModelEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message_start"),
    message: z.object({ model: z.string().optional(), usage: WireUsage.nullish() }),
  }),
  z.object({ type: z.literal("content_block_start"), index, content_block: StartedBlock }),
  z.object({ type: z.literal("content_block_delta"), index, delta: BlockDelta }),
  z.object({ type: z.literal("content_block_stop"), index }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: WireUsage.nullish(),
  }),
  z.object({ type: z.literal("message_stop") }),
]);
export type ModelEvent = z.infer<typeof ModelEvent>;

/** What the model wrote, as one event holds it; empty for an event of another kind. */
export const outputOf = (event: ModelEvent): string => {
  if (event.type === "content_block_start") return event.content_block.type === "text" ? event.content_block.text : "";
  if (event.type !== "content_block_delta") return "";
  switch (event.delta.type) {
    case "text_delta":
      return event.delta.text;
    case "thinking_delta":
      return event.delta.thinking;
    case "input_json_delta":
      return event.delta.partial_json;
    case "signature_delta":
    case "opaque_delta":
      return "";
  }
};

/** What an event adds to its message, in UTF-16 units. */
export const lengthOf = (event: ModelEvent): number => {
  if (event.type === "content_block_start") return JSON.stringify(event.content_block).length;
  const delta = event.type === "content_block_delta" ? event.delta : undefined;
  if (delta?.type === "signature_delta") return delta.signature.length;
  if (delta?.type === "opaque_delta") return JSON.stringify(delta.delta).length;
  return outputOf(event).length;
};
