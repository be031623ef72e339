/**
 * The conversation in the format of the Messages API: the blocks we keep, send and stream. Parsed where it comes in: from the
 * provider's stream and from a stored session.
 */
import * as z from "zod";

/** Text of a person, of the model, or of the app. The app marks its own, because anybody could write the same words. */
const TextBlock = z.object({
  type: z.literal("text"),
  text: z.string(),
  /** Context and notes of the app; never sent. */
  isOurs: z.literal(true).exactOptional(),
  /** What the harness needs to know about it later; never sent. */
  holds: z.record(z.string(), z.unknown()).exactOptional(),
});

/** Thinking goes back to the API unchanged or not at all: the signature covers the text. */
const ThinkingBlock = z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() });

/** Thinking that the provider does not reveal; opaque. */
const RedactedThinkingBlock = z.object({ type: z.literal("redacted_thinking"), data: z.string() });

/** A call the model asks for. `id` is the provider's. */
export const ToolUseBlock = z.object({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Fields of the block that we do not know; they are sent back with it. */
  extra: z.record(z.string(), z.unknown()).exactOptional(),
});
export type ToolUseBlock = z.infer<typeof ToolUseBlock>;

/** The result of a call. Every `tool_use` has exactly one, in the next user message. */
export const ToolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.string(),
  is_error: z.boolean().optional(),
  /** It holds what a person wrote: answers, or the words of a refusal. Kept longer than other results; never sent. */
  isSaid: z.literal(true).exactOptional(),
});
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;

/** A block of a kind that we do not know, or do not need to: `block` is sent back to the API unchanged. */
export const OpaqueBlock = z.object({ type: z.literal("opaque"), block: z.looseObject({ type: z.string() }) });
export type OpaqueBlock = z.infer<typeof OpaqueBlock>;

/** Any block of a conversation. */
export const ContentBlock = z.discriminatedUnion("type", [
  TextBlock,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
  ToolResultBlock,
  OpaqueBlock,
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

/** One message of a conversation. */
export const Message = z.object({ role: z.enum(["user", "assistant"]), content: z.array(ContentBlock) });
export type Message = z.infer<typeof Message>;
