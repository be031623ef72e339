/** Who speaks when, and which result belongs to which call. Source: https://platform.claude.com/docs/en/api/messages. */
import type { Call } from "./call.ts";
import { asksForSummary, isThinking, type Message } from "./request-shape.ts";

const USER_KINDS: ReadonlySet<string> = new Set([
  ...["text", "image", "document", "search_result", "tool_result", "compaction"],
]);

const startsWithSummary = (message: Message | undefined): boolean => message?.content[0]?.type === "compaction";

const systemPlaceProblem = (messages: readonly Message[], at: number): string | undefined => {
  if (at === 0) return "messages.0: use the top-level 'system' parameter for the initial system prompt";
  if (messages[at - 1]?.role !== "user") return `messages.${at}: a system message must follow a user message`;
  const next = messages[at + 1];
  return next === undefined || next.role === "assistant"
    ? undefined
    : `messages.${at}: a system message must be the last message or be followed by an assistant message`;
};

/** Roles that do not exist or are in the wrong place, and kinds of blocks that a role must not write. */
export const rolesProblem = ({ request: { messages }, model }: Call): string | undefined => {
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== "user" && role !== "assistant" && role !== "system")
      return `messages: Unexpected role "${role}". Allowed roles are "user" or "assistant"`;
    if (role === "system") {
      if (model?.isClaude5 === false) return "role 'system' is not supported on this model";
      const problem = systemPlaceProblem(messages, at);
      if (problem !== undefined) return problem;
    }
    const wrong = content.find(
      ({ type }) =>
        (role === "user" && !USER_KINDS.has(type)) ||
        (role === "system" && type !== "text") ||
        (role === "assistant" && (type === "tool_result" || type === "image" || type === "document")),
    );
    if (wrong === undefined) continue;
    if (role === "assistant") return `messages.${at}: ${wrong.type} blocks can only be in user messages`;
    return `messages.${at}: \`${wrong.type}\` blocks cannot be in ${role} messages`;
  }
  const [first] = messages;
  return first === undefined || first.role !== "assistant" || startsWithSummary(first)
    ? undefined
    : "messages: first message must use the user role";
};

/** A conversation that ends with words put into the model's mouth, or with blanks. What it paused itself may end one, without the
 * blanks at its end; Haiku 4.5 still takes a prefill. */
export const prefillProblem = ({ request, made, model }: Call): string | undefined => {
  const last = request.messages.at(-1);
  if (last?.role !== "assistant" || asksForSummary(request)) return undefined;
  const end = last.content.at(-1);
  if (end?.type === "text" && /\s$/.test(String(end.text)))
    return "messages: final assistant content cannot end with trailing whitespace";
  return model?.isClaude5 === false || made?.hasPaused(last.content) === true ? undefined : NO_PREFILL;
};

const NO_PREFILL =
  "This model does not support assistant message prefill. The conversation must end with a user message.";

/**
 * How the last message of the model ends: not with thinking, and not with words after a call that is answered, which the API takes for
 * words put into the model's mouth. Measured: https://github.com/tailcallhq/forgecode/issues/3071,
 * https://github.com/Kilo-Org/kilocode/pull/13748
 */
export const lastAnswerProblem = ({ request: { messages }, model }: Call): string | undefined => {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const content = messages[at]?.content ?? [];
  const end = content.at(-1);
  if (end === undefined) return undefined;
  if (isThinking(end)) return `messages.${at}: The final block in an assistant message cannot be \`${end.type}\`.`;
  const isAfterCall = end.type === "text" && content.some(({ type }) => type === "tool_use");
  return isAfterCall && model?.isClaude5 !== false ? NO_PREFILL : undefined;
};

const idsOf = (message: Message | undefined, type: "tool_use" | "tool_result"): string[] =>
  (message?.content ?? []).flatMap((block) =>
    block.type === type ? [String(type === "tool_use" ? block.id : block.tool_use_id)] : [],
  );

const pairProblem = (messages: readonly Message[], at: number): string | undefined => {
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
  return types.lastIndexOf("tool_result") >= results.length
    ? `messages.${at}: tool_result blocks must come first`
    : undefined;
};

/** Calls without results, results without calls, ids used twice. */
export const pairingProblem = ({ request: { messages } }: Call): string | undefined => {
  const callIds = messages.flatMap((message) => idsOf(message, "tool_use"));
  if (new Set(callIds).size < callIds.length) return "messages: `tool_use` ids must be unique";
  // One past the end: calls of the last message would have no result at all.
  return [...messages.keys(), messages.length]
    .map((at) => pairProblem(messages, at))
    .find((problem) => problem !== undefined);
};
