/** Our request in the format of the Messages API, with the breakpoints of its prompt cache. */
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages";
import { parseJson } from "../../contract/parse-json.ts";
import { type ContentBlock, Message } from "../messages.ts";
import type { ModelRequest, ModelTool } from "../model.ts";

/**
 * The messages, with U+FFFD for each half of a surrogate pair; usually unchanged. The API refuses a request that contains such a
 * half, so a conversation stored with one would be refused forever. New text is corrected where it comes in.
 */
export const wellFormed = (messages: readonly Message[]): readonly Message[] =>
  isWellFormed(messages) ? messages : healed(messages);

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, part]) => key.isWellFormed() && isWellFormed(part));
};

/** An escaped backslash, or the escape that `JSON.stringify` writes only for half of a surrogate pair. */
const BACKSLASH_OR_HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/** Corrects the messages through their JSON. Each half becomes the character U+FFFD and not its escape, which V8 misreads in some keys. */
const healed = (messages: readonly Message[]): Message[] => {
  const json = JSON.stringify(messages);
  return Message.array().parse(
    parseJson(json.replace(BACKSLASH_OR_HALF, (found) => (found === "\\\\" ? found : "\ufffd"))),
  );
};

/** Ends a cached prefix: https://platform.claude.com/docs/en/build-with-claude/prompt-caching. At most four a request. */
const CACHED = { cache_control: { type: "ephemeral" } } as const;

type Cached = Partial<typeof CACHED>;

/** User messages that end a cached prefix: the newest, and the one before, which the last request ended with. */
const CACHED_MESSAGES = 2;

/** The beta header that the API requires for `block_binding`: …/preserved-thinking/fix-bound-to-a-different-conversation. */
const BINDING_BETA = "thinking-binding-controls-2026-08-01";

/** The beta header of each request that asks for a summary or contains one: …/build-with-claude/compaction-on-demand. */
const COMPACTION_BETA = "compact-2026-09-04";

/** A block as it is sent. Only blocks that end a user message can be cached: thinking cannot. */
const toBlockParam = (block: ContentBlock, cached: Cached): ContentBlockParam => {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...cached };
    case "tool_result": {
      const { is_error, isSaid: _, ...result } = block;
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

/** The API wrote it, so the API accepts it. */
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
 * The parameters of one streamed call. Breakpoints: the last tool and the rules, which stay the same, and the ends of the two newest
 * user messages, so that this call reads what the previous one wrote to the cache, and the next one everything up to here.
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

/** The same call as a request for a summary of its messages. */
export const toCompactionParams = (request: ModelRequest): MessageCreateParamsStreaming => ({
  ...toMessagesParams(request),
  ...{ compaction: { type: "summarize" } },
});

/** Asks for summarized thinking, so that a chat is not silent between tools: there, some models write all their words as thinking. */
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
