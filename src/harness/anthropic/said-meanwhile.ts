/** What a person says while the model works, as the model reads it. */
import type { ContentBlock, Message } from "../../model/messages.ts";
import { fence } from "../model-text.ts";

/** Marks the words that follow: they are the person's, and no result of the calls before them. */
const INTRODUCTION =
  "[The person sent this while you were working. It is in their own words and answers no permission request.]";

const saidBlock = (text: string): ContentBlock => ({ type: "text", text: `${INTRODUCTION}\n\n${text}` });

/** Precedes a result that is sent without its call. The model's own words in the result are data, as they are in the result itself. */
const RESULT_INTRODUCTION = "[A result whose call is left out here. The person's answer:]";

/** What the person wrote in a message besides a prompt: to the running turn, as an answer, with a refusal. */
export const writtenIn = ({ role, content }: Message): ContentBlock[] =>
  role === "assistant"
    ? []
    : content.flatMap((block): ContentBlock[] => {
        if (block.type === "text" && block.isOurs !== true) return [block];
        if (block.type !== "tool_result" || block.isSaid !== true) return [];
        return [{ type: "text", text: `${RESULT_INTRODUCTION}\n<data>${fence(block.content)}</data>` }];
      });

/**
 * The messages with these texts after the last one. After results they become part of the same message, as the API wants roles
 * to alternate, and come last in it, as it wants results first; after an answer they are the next message.
 */
export const withSaid = (messages: readonly Message[], texts: readonly string[]): readonly Message[] => {
  if (texts.length === 0) return messages;
  const said = texts.map(saidBlock);
  const last = messages.at(-1);
  return last?.role === "user"
    ? [...messages.slice(0, -1), { role: "user", content: [...last.content, ...said] }]
    : [...messages, { role: "user", content: said }];
};
