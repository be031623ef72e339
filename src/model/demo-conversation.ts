/** Reads the turn that is going on out of a conversation: what was asked, and what the calls so far came to. */
import type { ContentBlock, Message, ToolUseBlock } from "./messages.ts";

/** A call of this turn with its result. */
export type DoneCall = {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly isError: boolean;
};

/** The turn so far. `done` is in the order of the calls. */
export type DemoTurn = {
  readonly prompt: string;
  /** Whether the model has said nothing yet in the whole conversation. */
  readonly isFirstMessage: boolean;
  readonly done: readonly DoneCall[];
  /** An id that no call of the conversation has. */
  readonly freshCallId: string;
};

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";

/** The person's own words: the last text of a user message. Results of tools have no text. */
const promptOf = (message: Message): string | undefined =>
  message.role === "user" ? message.content.findLast((block) => block.type === "text")?.text : undefined;

const withResult = (call: ToolUseBlock, blocks: readonly ContentBlock[]): DoneCall[] => {
  const result = blocks.find((block) => block.type === "tool_result" && block.tool_use_id === call.id);
  if (result?.type !== "tool_result") return [];
  return [{ tool: call.name, input: call.input, output: result.content, isError: result.is_error ?? false }];
};

/** Reads the conversation from its last prompt on. */
export const readTurn = (messages: readonly Message[]): DemoTurn => {
  const start = messages.findLastIndex((message) => promptOf(message) !== undefined);
  const asked = messages[start];
  const blocks = messages.slice(start + 1).flatMap((message) => message.content);
  const usedIds = new Set(messages.flatMap((message) => message.content.filter(isToolUse).map((call) => call.id)));
  let serial = usedIds.size + 1;
  // Where old turns were left out, the count alone could meet an id that is still there.
  while (usedIds.has(`demo_${serial}`)) serial += 1;
  return {
    prompt: (asked && promptOf(asked)) ?? "",
    isFirstMessage: messages.every((message) => message.role === "user"),
    done: blocks.filter(isToolUse).flatMap((call) => withResult(call, blocks)),
    freshCallId: `demo_${serial}`,
  };
};
