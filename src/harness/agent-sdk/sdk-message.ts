/** The SDK's messages, as far as they are read (decision 0097). A message of another shape is ignored: a later SDK sends more. */
import * as z from "zod";
import { NO_USAGE, type Usage } from "../../contract/run.ts";
import { InferenceGeo, MAX_TOKENS } from "../../model/model-event.ts";
import { ModelInput } from "../turn.ts";

/** A count that cannot be read is treated as absent, so that the rest of its message still counts. */
const Tokens = z.number().int().min(0).max(MAX_TOKENS).nullish().catch(null);

const SdkUsage = z.object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  cache_read_input_tokens: Tokens,
  cache_creation_input_tokens: Tokens,
  /** The part of `cache_creation_input_tokens` that is kept for an hour: with a plan's credential, the SDK's client asks for that. */
  cache_creation: z.object({ ephemeral_1h_input_tokens: Tokens }).nullish().catch(null),
  inference_geo: InferenceGeo,
});

/**
 * The usage after this report of the provider and an earlier report of the same message. A later report repeats what it knows, so its
 * values replace the earlier ones.
 */
export const usageOf = (given: z.infer<typeof SdkUsage> | undefined, earlier: Usage = NO_USAGE): Usage => ({
  ...earlier,
  ...(given?.inference_geo && { inferenceGeo: given.inference_geo }),
  ...hourOf(given?.cache_creation?.ephemeral_1h_input_tokens),
  inputTokens: given?.input_tokens ?? earlier.inputTokens,
  outputTokens: given?.output_tokens ?? earlier.outputTokens,
  cacheReadTokens: given?.cache_read_input_tokens ?? earlier.cacheReadTokens,
  cacheWriteTokens: given?.cache_creation_input_tokens ?? earlier.cacheWriteTokens,
});

/** Left out where there are no such tokens, as in every answer to a request with an API key. */
const hourOf = (tokens: number | null | undefined): Pick<Usage, "cacheWrite1hTokens"> =>
  tokens ? { cacheWrite1hTokens: tokens } : {};

/** The SDK's own count, which has other field names. */
const CountedUsage = z
  .object({
    inputTokens: Tokens,
    outputTokens: Tokens,
    cacheReadInputTokens: Tokens,
    cacheCreationInputTokens: Tokens,
    cacheCreationEphemeral1hInputTokens: Tokens,
  })
  .transform(
    (given): Usage => ({
      inputTokens: given.inputTokens ?? 0,
      outputTokens: given.outputTokens ?? 0,
      cacheReadTokens: given.cacheReadInputTokens ?? 0,
      cacheWriteTokens: given.cacheCreationInputTokens ?? 0,
      ...hourOf(given.cacheCreationEphemeral1hInputTokens),
    }),
  );

const StreamEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message_start"), message: z.object({ usage: SdkUsage.optional() }) }),
  z.object({
    type: z.literal("content_block_delta"),
    delta: z.object({
      type: z.string(),
      ...{ text: z.string().optional(), thinking: z.string().optional(), partial_json: z.string().optional() },
    }),
  }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: SdkUsage.optional(),
  }),
  z.object({ type: z.literal("message_stop") }),
]);

const ToolUse = z.object({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: ModelInput,
});
export type ToolUse = z.infer<typeof ToolUse>;

const ToolResult = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  is_error: z.boolean().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).optional(),
});
export type SdkToolResult = z.infer<typeof ToolResult>;

/** Keeps the blocks of one type, and leaves out all others. */
const blocksOf = <Block extends z.ZodType>(block: Block) =>
  z
    .array(z.unknown())
    .transform((all) => all.flatMap((one) => (block.safeParse(one).success ? [block.parse(one)] : [])));

/** A message that is read. */
export const SdkMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stream_event"), event: StreamEvent }),
  /** One content block of the message that is streaming. `error`: the SDK itself made the message, and says why there is no answer. */
  z.object({
    type: z.literal("assistant"),
    /** Its id in the session's file. */
    uuid: z.uuid().optional(),
    message: z.object({ content: blocksOf(ToolUse) }),
    error: z.string().optional(),
  }),
  z.object({
    type: z.literal("user"),
    message: z.object({ content: z.union([z.string().transform(() => []), blocksOf(ToolResult)]) }),
    /** `non_execution_kind`: the call did not run. */
    tool_result_meta: z.array(z.object({ id: z.string(), non_execution_kind: z.string().optional() })).optional(),
  }),
  z.object({
    type: z.literal("rate_limit_event"),
    /** `isUsingOverage`: each call beyond the plan's limit is paid for separately, so that limit stops nothing. */
    rate_limit_info: z.object({
      status: z.string(),
      resetsAt: z.number().optional(),
      isUsingOverage: z.boolean().optional(),
    }),
  }),
  z.object({
    type: z.literal("system"),
    subtype: z.string(),
    cwd: z.string().optional(),
    attempt: z.number().int().optional(),
    retry_delay_ms: z.number().optional(),
    error_status: z.number().nullish(),
  }),
  z.object({
    type: z.literal("result"),
    subtype: z.string(),
    is_error: z.boolean(),
    stop_reason: z.string().nullish(),
    api_error_status: z.number().nullish(),
    api_error: z.string().nullish(),
    /** Why the turn is over, also if no request has failed. */
    terminal_reason: z.string().nullish(),
    /** All model calls since the previous result, by the model's name; streamed or not. */
    model_usage_since_last_result: z.record(z.string(), CountedUsage).optional().catch(undefined),
    /** The answer, or what the SDK says of a failure. */
    result: z.string().optional(),
    errors: z.array(z.string()).optional(),
  }),
]);
export type SdkMessage = z.infer<typeof SdkMessage>;

/** What the SDK says besides the results of calls. */
export type SdkResultMeta = Extract<SdkMessage, { type: "user" }>["tool_result_meta"];

/** What the SDK says of the plan's limits. */
export type SdkLimit = Extract<SdkMessage, { type: "rate_limit_event" }>["rate_limit_info"];

/** The end of a turn, in the SDK's words. */
export type SdkResult = Extract<SdkMessage, { type: "result" }>;

/** Whether the turn was to begin after a message that the session does not have, or has summarized since. Then nothing was sent. */
export const isPlaceLost = ({ errors = [] }: SdkResult): boolean =>
  errors.some((error) => error.startsWith("No message found with message.uuid"));

/**
 * Why the model itself stopped, in the two cases that the SDK calls an error: a refusal, and an answer that was cut again after the SDK had
 * continued it three times. `last`: why the model's newest message stopped.
 */
export const modelStop = ({ api_error: error, stop_reason: reason }: SdkResult, last = "max_tokens") =>
  error === "max_output_tokens" ? last : reason === "refusal" ? reason : undefined;

/** Whether the turn stopped after the model call that passed its budget. */
export const isOverBudget = ({ subtype }: SdkResult): boolean => subtype === "error_max_budget_usd";

/** Whether the turn stopped because it has made as many model calls as it may. */
export const isOutOfSteps = ({ subtype }: SdkResult): boolean => subtype === "error_max_turns";

/** The text of a tool's result. */
export const textOf = ({ content = "" }: SdkToolResult): string =>
  typeof content === "string" ? content : content.map(({ type, text }) => text ?? `[${type}]`).join("\n");
