/** Our request as the Messages API spells it, with the places where its prompt cache is to be cut. */
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages";
import type { ContentBlock, Message } from "./messages.ts";
import type { ModelRequest, ModelTool } from "./model.ts";
import { wellFormed } from "./well-formed.ts";

/** Ends a cached prefix: https://platform.claude.com/docs/en/build-with-claude/prompt-caching. At most four a request. */
const CACHED = { cache_control: { type: "ephemeral" } } as const;

type Cached = Partial<typeof CACHED>;

/** User messages that end a cached prefix: the newest, and the one before, where the last request has put it. */
const CACHED_MESSAGES = 2;

/** The header without which the API refuses `block_binding`: …/preserved-thinking/fix-bound-to-a-different-conversation. */
const BINDING_BETA = "thinking-binding-controls-2026-08-01";

/** The header of each request that asks for a summary or holds one: …/build-with-claude/compaction-on-demand. */
const COMPACTION_BETA = "compact-2026-09-04";

/** A block as it is sent. Only those that end a user message can be cached: thinking refuses it. */
const toBlockParam = (block: ContentBlock, cached: Cached): ContentBlockParam => {
  switch (block.type) {
    case "text":
      return { ...block, ...cached };
    case "tool_result": {
      const { is_error, ...result } = block;
      return { ...result, ...(is_error === undefined ? {} : { is_error }), ...cached };
    }
    case "tool_use": {
      const { extra, ...call } = block;
      return { ...call, ...extra };
    }
    case "opaque":
      return asItCame(block.block);
    default:
      return block;
  }
};

/** The API made it, so the API takes it. */
const asItCame = (block: object): ContentBlockParam => {
  if (isParam(block)) return block;
  throw new Error("A block without a type cannot be sent.");
};

const isParam = (block: object): block is ContentBlockParam => "type" in block;

const toMessageParam = ({ role, content }: Message, isCached: boolean): MessageParam => {
  const params = content.map((block, at) => toBlockParam(block, isCached && at === content.length - 1 ? CACHED : {}));
  return { role, content: params };
};

const toSystemParam = (system: readonly string[]): TextBlockParam[] =>
  system.map((text, at) => ({ type: "text", text, ...(at === system.length - 1 && CACHED) }));

const toToolParams = (tools: readonly ModelTool[]): Tool[] =>
  tools.map(({ name, description, inputSchema }, at) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: "object" },
    ...(at === tools.length - 1 && CACHED),
  }));

const isUser = ({ role }: Message): boolean => role === "user";

/**
 * The parameters of one streamed call. Breakpoints: the last tool and the rules, which stay the same, and the ends of the two
 * newest user messages, so that this call reads what the one before it has written, and the next one everything up to here.
 */
export const toMessagesParams = (request: ModelRequest): MessageCreateParamsStreaming => {
  const messages = wellFormed(request.messages);
  const cachedFrom = messages.filter(isUser).at(-CACHED_MESSAGES) ?? messages[0];
  const from = cachedFrom === undefined ? 0 : messages.indexOf(cachedFrom);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(request.system.length > 0 && { system: toSystemParam(request.system) }),
    ...(request.tools.length > 0 && { tools: toToolParams(request.tools) }),
    ...thinkingParam(request),
    ...(request.effort !== undefined && { output_config: { effort: request.effort } }),
    messages: messages.map((message, at) => toMessageParam(message, at >= from && isUser(message))),
  };
};

/** The same call as a question for a summary of its messages. */
export const toCompactionParams = (request: ModelRequest): MessageCreateParamsStreaming => ({
  ...toMessagesParams(request),
  ...{ compaction: { type: "summarize" } },
});

/** Thinking as a summary, so that a chat is not silent between tools: some models write all their words there by then. */
const thinkingParam = ({ hasThinking, dropsBlocks }: ModelRequest) => {
  if (hasThinking !== true) return {};
  const binding = dropsBlocks ? { block_binding: { prefix_mismatch_behavior: "drop_block" } } : {};
  return { thinking: { type: "adaptive", display: "summarized", ...binding } as const };
};

/** The beta headers a request needs. */
export const betasOf = ({ messages, hasThinking, dropsBlocks }: ModelRequest, asksForSummary: boolean): string[] => [
  ...(dropsBlocks === true && hasThinking === true ? [BINDING_BETA] : []),
  ...(asksForSummary || messages.some(holdsSummary) ? [COMPACTION_BETA] : []),
];

const holdsSummary = ({ content }: Message): boolean =>
  content.some((block) => block.type === "opaque" && block.block.type === "compaction");
