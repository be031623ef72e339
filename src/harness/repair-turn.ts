/**
 * Makes a turn's messages valid for good before they are saved: after an end, an abort, a failure and a crash alike, so
 * that the thread's next turn is always one the API accepts.
 */
import type { ContentBlock, Message, ToolResultBlock } from "../model/messages.ts";

/** Said for a call that the run's end left without a result. */
const NO_RESULT = "Not run: the turn ended before this call.";

/**
 * The turn with every `tool_use` answered, in order, in the very next message, and without empty blocks, empty messages
 * and model messages that hold thinking alone. What is valid stays as it is.
 */
export const repairTurn = (messages: readonly Message[]): Message[] => {
  const kept = messages
    .map((message) => ({ ...message, content: message.content.filter(isFilled) }))
    .filter((message) => message.content.some((block) => !isThinking(block)));
  return kept.flatMap((message, index): Message[] => {
    if (message.role === "user") return index > 0 && answers(message) ? [] : [message];
    const wanted = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    if (wanted.length === 0) return [message];
    const given = kept[index + 1]?.content ?? [];
    return [message, { role: "user", content: wanted.map((id) => given.find(isResultOf(id)) ?? noResult(id)) }];
  });
};

/** Whether a user message holds results only; `repairTurn` sets those anew behind the calls they answer. */
const answers = (message: Message): boolean => message.content.every((block) => block.type === "tool_result");

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
