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

/** Ends a cached prefix: https://platform.claude.com/docs/en/build-with-claude/prompt-caching. At most four a request. */
const CACHED = { cache_control: { type: "ephemeral" } } as const;

type Cached = Partial<typeof CACHED>;

/** A block as it is sent. Only those that end a user message can be cached: thinking refuses it. */
const toBlockParam = (block: ContentBlock, cached: Cached): ContentBlockParam => {
  switch (block.type) {
    case "text":
      return { ...block, ...cached };
    case "tool_result": {
      const { is_error, ...result } = block;
      return { ...result, ...(is_error === undefined ? {} : { is_error }), ...cached };
    }
    default:
      return block;
  }
};

const toMessageParam = ({ role, content }: Message, isCached: boolean): MessageParam => {
  const params = content.map((block, at) => toBlockParam(block, isCached && at === content.length - 1 ? CACHED : {}));
  return { role, content: params };
};

const toSystemParam = (system: readonly string[]): TextBlockParam[] =>
  system.map((text, at) => ({ type: "text", text, ...(at === 0 && CACHED) }));

const toToolParams = (tools: readonly ModelTool[]): Tool[] =>
  tools.map(({ name, description, inputSchema }, at) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: "object" },
    ...(at === tools.length - 1 && CACHED),
  }));

/**
 * The parameters of one streamed call. Breakpoints: the last tool and the first system part, which stay the same from turn
 * to turn, and the last block of the last user message, so that the next call reads everything up to it.
 */
export const toMessagesParams = (request: ModelRequest): MessageCreateParamsStreaming => {
  const lastUser = request.messages.findLastIndex((message) => message.role === "user");
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(request.system.length > 0 && { system: toSystemParam(request.system) }),
    ...(request.tools.length > 0 && { tools: toToolParams(request.tools) }),
    messages: request.messages.map((message, at) => toMessageParam(message, at === lastUser)),
  };
};
