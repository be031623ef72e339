/** The Messages API stream events the loop reads. Kinds it does not know are left out before they reach it. */
import { z } from "zod";

const count = z.int().nonnegative().nullish();

/** Usage as the wire spells it; cumulative in `message_delta`. */
const WireUsage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});
export type WireUsage = z.infer<typeof WireUsage>;

const index = z.int().nonnegative();

/** Blocks that can start. `tool_use.input` is always `{}` here: it arrives as `input_json_delta`. */
const StartedBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().default("") }),
  z.object({ type: z.literal("thinking"), thinking: z.string().default(""), signature: z.string().optional() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string() }),
]);

const BlockDelta = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_delta"), text: z.string() }),
  z.object({ type: z.literal("thinking_delta"), thinking: z.string() }),
  z.object({ type: z.literal("signature_delta"), signature: z.string() }),
  z.object({ type: z.literal("input_json_delta"), partial_json: z.string() }),
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
