/** Ids of a model's calls: the API refuses a conversation that has one twice, for good, so none may get in. */
import type { ContentBlock, Message } from "../model/messages.ts";

/** Whether each call of a message has an id that neither the message nor the conversation before it has used. */
export const hasFreshCallIds = (content: readonly ContentBlock[], before: readonly Message[]): boolean => {
  const ids = callIdsOf(content);
  const used = new Set(before.flatMap((message) => callIdsOf(message.content)));
  return new Set(ids).size === ids.length && ids.every((id) => !used.has(id));
};

const callIdsOf = (content: readonly ContentBlock[]): string[] =>
  content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
