/**
 * Makes a turn's messages valid before they are saved, whether it ended, was aborted, failed or crashed, so that the API
 * always accepts the thread's next turn.
 */
import type { ContentBlock, Message, ToolResultBlock } from "../../model/messages.ts";

/** The result of a call that had none when the run ended. */
const NO_RESULT = "Not run: the turn ended before this call.";

/**
 * The turn with every `tool_use` answered, in order, in the very next message, and without empty blocks and messages.
 * Thinking at the end of the turn is dropped: the API does not accept a message that ends with it, and nothing was built on
 * it. What is valid stays as it is.
 */
export const repairTurn = (messages: readonly Message[]): Message[] => {
  const kept = withoutLastThoughts(
    messages.map((message) => ({ ...message, content: message.content.filter(isFilled) })),
  );
  return kept.flatMap((message, index): Message[] => {
    if (message.role === "user") return index > 0 && message.content.some(isResult) ? [] : [message];
    const wanted = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    if (wanted.length === 0) return [message];
    const next = kept[index + 1];
    const given = next?.role === "user" ? next.content : [];
    const results = wanted.map((id) => given.find(isResultOf(id)) ?? noResult(id));
    // A note of ours can follow the results of a step.
    const notes = given.some(isResult) ? given.filter((block) => !isResult(block)) : [];
    return [message, { role: "user", content: [...results, ...notes] }];
  });
};

/** Drops empty messages, and thinking that nothing follows. */
const withoutLastThoughts = (messages: readonly Message[]): Message[] => {
  const filled = messages.filter(({ content }) => content.length > 0);
  const last = filled.at(-1);
  if (last?.role !== "assistant") return filled;
  const end = last.content.findLastIndex((block) => !isThinking(block)) + 1;
  if (end === last.content.length) return filled;
  const before = filled.slice(0, -1);
  return end === 0 ? withoutLastThoughts(before) : [...before, { ...last, content: last.content.slice(0, end) }];
};

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

const isResultOf =
  (id: string) =>
  (block: ContentBlock): block is ToolResultBlock =>
    block.type === "tool_result" && block.tool_use_id === id;

const noResult = (id: string): ToolResultBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: NO_RESULT,
  is_error: true,
});

const isThinking = (block: ContentBlock): boolean => block.type === "thinking" || block.type === "redacted_thinking";

const isFilled = (block: ContentBlock): boolean => block.type !== "text" || block.text.trim() !== "";
