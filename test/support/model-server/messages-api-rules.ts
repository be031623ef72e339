/**
 * What the real API refuses with 400, as far as a client of ours could break it. Source of the rules:
 * https://platform.claude.com/docs/en/api/messages and its errors for tool use.
 */
import { z } from "zod";

const CacheControl = z.strictObject({ type: z.literal("ephemeral") }).optional();
const text = z.string().regex(/\S/, "text content blocks must contain non-whitespace text");

const Block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text, cache_control: CacheControl }),
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().min(1) }),
  z.strictObject({ type: z.literal("redacted_thinking"), data: z.string().min(1) }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
    name: z.string().min(1),
    input: z.record(z.string(), z.unknown()),
    cache_control: CacheControl,
  }),
  z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string().min(1),
    content: z.string(),
    is_error: z.boolean().optional(),
    cache_control: CacheControl,
  }),
]);

const Message = z.strictObject({ role: z.enum(["user", "assistant"]), content: z.array(Block).min(1) });
type Message = z.infer<typeof Message>;

const Tool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal("object") }),
  cache_control: CacheControl,
});

const MessagesRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  messages: z.array(Message).min(1),
  system: z.array(z.strictObject({ type: z.literal("text"), text, cache_control: CacheControl })).optional(),
  tools: z.array(Tool).optional(),
  stream: z.literal(true),
});

/** Cache breakpoints a request may have. */
const MAX_BREAKPOINTS = 4;

const idsOf = (message: Message | undefined, type: "tool_use" | "tool_result"): string[] =>
  (message?.content ?? []).flatMap((block) => {
    if (block.type === "tool_use" && type === "tool_use") return [block.id];
    if (block.type === "tool_result" && type === "tool_result") return [block.tool_use_id];
    return [];
  });

const pairingProblem = (messages: readonly Message[], at: number): string | undefined => {
  const message = messages[at];
  const calls = idsOf(messages[at - 1], "tool_use");
  const results = idsOf(message, "tool_result");
  const unanswered = calls.find((id) => !results.includes(id));
  if (unanswered !== undefined)
    return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered}`;
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined)
    return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`;
  if (new Set(results).size < results.length) return `messages.${at}: each tool_use must have a single result`;
  const types = message?.content.map((block) => block.type) ?? [];
  if (types.lastIndexOf("tool_result") >= results.length) return `messages.${at}: tool_result blocks must come first`;
  const role = message?.role;
  if (role === "user" && types.some((type) => type !== "text" && type !== "tool_result"))
    return `messages.${at}: a user message holds text and tool_result blocks only`;
  if (role === "assistant" && results.length > 0)
    return `messages.${at}: tool_result blocks can only be in user messages`;
  return undefined;
};

/** The API's complaint about a request body, or undefined when it would accept it. */
export const requestProblem = (body: unknown): string | undefined => {
  const parsed = MessagesRequest.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return `${issue?.path.join(".")}: ${issue?.message}`;
  }
  const { messages, system = [], tools = [] } = parsed.data;
  if (messages[0]?.role !== "user") return "messages: first message must use the user role";
  const toolNames = tools.map((tool) => tool.name);
  if (new Set(toolNames).size < toolNames.length) return "tools: Tool names must be unique.";
  const callIds = messages.flatMap((message) => idsOf(message, "tool_use"));
  if (new Set(callIds).size < callIds.length) return "messages: `tool_use` ids must be unique";
  const blocks = messages.flatMap((message) => message.content);
  const breakpoints = [...system, ...tools, ...blocks].filter((part) => "cache_control" in part).length;
  if (breakpoints > MAX_BREAKPOINTS)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${breakpoints}.`;
  // One past the end: calls of the last message would have no result at all.
  return [...messages.keys(), messages.length]
    .map((at) => pairingProblem(messages, at))
    .find((problem) => problem !== undefined);
};
