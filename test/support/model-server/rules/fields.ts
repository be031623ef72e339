/**
 * Known fields with their types; anything else is refused, as the API does with "Extra inputs are not permitted".
 * Source: https://platform.claude.com/docs/en/api/messages and the types of the SDK.
 */
import { z } from "zod";
import type { Call } from "./call.ts";
import { asksForSummary, type Block, issueText } from "./request-shape.ts";

const cacheControl = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() }).nullish();
const text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  citations: z.array(z.unknown()).nullish(),
  cache_control: cacheControl,
});
const source = z.looseObject({ type: z.enum(["base64", "url", "file", "text", "content"]) });
const image = z.strictObject({ type: z.literal("image"), source, cache_control: cacheControl });
const document = z.strictObject({
  type: z.literal("document"),
  source,
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.looseObject({}).nullish(),
  cache_control: cacheControl,
});
const searchResult = z.strictObject({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(text),
  citations: z.looseObject({}).nullish(),
  cache_control: cacheControl,
});

/** Kinds of blocks that a client may write itself, and the documented ones that the model writes. Other kinds: rule `opaque`. */
const BLOCKS: Readonly<Record<string, z.ZodType>> = {
  text,
  image,
  document,
  search_result: searchResult,
  thinking: z.strictObject({
    type: z.literal("thinking"),
    thinking: z.string(),
    signature: z.string().min(1, "signature: Field required"),
  }),
  redacted_thinking: z.strictObject({ type: z.literal("redacted_thinking"), data: z.string().min(1) }),
  tool_use: z.strictObject({
    type: z.literal("tool_use"),
    id: z.string().regex(/^[a-zA-Z0-9_-]+$/, "String should match pattern '^[a-zA-Z0-9_-]+$'"),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    caller: z.looseObject({ type: z.string() }).nullish(),
    cache_control: cacheControl,
  }),
  compaction: z.strictObject({
    type: z.literal("compaction"),
    content: z.string().min(1),
    signature: z.string().min(1),
    encrypted_content: z.null().optional(),
    tool_changes: z.array(z.unknown()).nullish(),
    cache_control: cacheControl,
  }),
  tool_result: z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string().min(1),
    content: z.union([z.string(), z.array(z.union([text, image, document, searchResult]))]).optional(),
    is_error: z.boolean().optional(),
    cache_control: cacheControl,
  }),
};

/** Whether a client may write blocks of this kind, or knows them without a beta. */
export const isKnownKind = (kind: string): boolean => kind in BLOCKS;

const Tool = z.strictObject({
  type: z.literal("custom").nullish(),
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal("object") }),
  strict: z.boolean().optional(),
  defer_loading: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  input_examples: z.array(z.record(z.string(), z.unknown())).optional(),
  allowed_callers: z.array(z.string()).optional(),
  cache_control: cacheControl,
});

const Thinking = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("adaptive"),
    display: z.enum(["summarized", "omitted", "updates"]).nullish(),
    block_binding: z.strictObject({ prefix_mismatch_behavior: z.enum(["error", "drop_block"]).nullish() }).nullish(),
  }),
  z.strictObject({
    type: z.literal("enabled"),
    budget_tokens: z.int().min(1_024, "Input should be greater than or equal to 1024"),
    display: z.enum(["summarized", "omitted", "updates"]).nullish(),
    block_binding: z.strictObject({ prefix_mismatch_behavior: z.enum(["error", "drop_block"]).nullish() }).nullish(),
  }),
  z.strictObject({ type: z.literal("between_tools") }),
  z.strictObject({ type: z.literal("disabled") }),
]);

/** Top-level fields without a beta. `speed`, `mcp_servers`, `context_management` and their like are not spoken here. */
const Top = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int("Input should be a valid integer"),
  messages: z.array(z.unknown()),
  system: z.unknown().optional(),
  tools: z.array(Tool).optional(),
  stream: z.boolean().optional(),
  thinking: Thinking.optional(),
  output_config: z
    .strictObject({ effort: z.string().nullish(), format: z.looseObject({ type: z.string() }).nullish() })
    .optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  tool_choice: z
    .looseObject({ type: z.enum(["auto", "any", "tool", "none"]), disable_parallel_tool_use: z.boolean().optional() })
    .optional(),
  stop_sequences: z.array(z.string()).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
  compaction: z
    .strictObject({ type: z.literal("summarize"), instructions: z.string().max(16_384).nullish() })
    .nullish(),
  cache_control: cacheControl,
  diagnostics: z.looseObject({}).nullish(),
});

/** Fields that a system message among the messages may have, and the beta of each. */
const SYSTEM_FIELDS: Readonly<Record<string, string>> = {
  clear_at: "mid-conversation-system-clear-at-2026-08-21",
  output_config: "mid-conversation-output-config-2026-07-01",
};

const blockProblem = (block: Block, at: readonly PropertyKey[]): string | undefined => {
  const schema = BLOCKS[block.type];
  const parsed = schema?.safeParse(block);
  return parsed?.success === false ? issueText(parsed.error, at) : undefined;
};

/** Unknown and ill-typed fields of the request, its messages, its blocks and its tools. */
export const fieldsProblem = ({ request, betas }: Call): string | undefined => {
  const parsed = Top.safeParse(request);
  if (!parsed.success) return issueText(parsed.error);
  if (request.messages.length === 0 && !asksForSummary(request)) return "messages: at least one message is required";
  for (const [at, block] of (request.system ?? []).entries()) {
    const problem =
      block.type === "text" ? blockProblem(block, ["system", at]) : `system.${at}.type: Input should be 'text'`;
    if (problem !== undefined) return problem;
  }
  for (const [at, message] of request.messages.entries()) {
    const extra = Object.keys(message).find(
      (name) =>
        name !== "role" && name !== "content" && !(message.role === "system" && betas.has(SYSTEM_FIELDS[name] ?? "")),
    );
    if (extra !== undefined) return `messages.${at}.${extra}: Extra inputs are not permitted`;
    for (const [index, block] of message.content.entries()) {
      const problem = blockProblem(block, ["messages", at, "content", index]);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
};
