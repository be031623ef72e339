/** What a turn had done, said where its calls are not sent, so that the model does nothing twice. */
import { cutText } from "../../../contract/plain-text.ts";
import type { ContentBlock, Message } from "../../../model/messages.ts";
import { fence } from "../../model-text.ts";

/** A call that changed something, or may have changed something. */
export type CallEffect = {
  readonly tool: string;
  readonly title: string;
  readonly status: "completed" | "failed" | "unknown";
};

const DOUBT = {
  completed: "",
  failed: ", ended with an error and may have changed something",
  unknown: ", outcome unknown",
} as const;

/**
 * The line that stands in for a turn that the model refused, or that was too long. It says that there was such a turn, and what that turn
 * had done before. Sent again, the turn would be refused again every time, so it stays in the store and in the transcript only
 * (https://platform.claude.com/docs/en/test-and-evaluate/strengthen-guardrails/handle-streaming-refusals).
 */
export const omittedLine = (effects: readonly CallEffect[], why = "the model refused it"): string => {
  const done = effects.map(({ tool, title, status }) => `${tool} (${title}${DOUBT[status]})`);
  const effect = done.length === 0 ? "Nothing was changed by it." : `What it had done before: ${done.join("; ")}.`;
  return `[A turn is left out here, because ${why}. ${effect}]`;
};

/** How much of a call's input is repeated, in UTF-16 units of JSON. */
const MAX_INPUT_LENGTH = 200;

/** The calls of a turn that is sent as plain text, as one block; nothing when it made none. What the model wrote in them is data. */
export const calledBlock = (messages: readonly Message[]): ContentBlock[] => {
  const blocks = messages.flatMap(({ content }) => content);
  const failed = new Set(
    blocks.flatMap((block) => (block.type === "tool_result" && block.is_error === true ? [block.tool_use_id] : [])),
  );
  const calls = blocks.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const input = JSON.stringify(block.input);
    const shown = cutText(input, MAX_INPUT_LENGTH);
    const cut = shown === input ? "" : "…";
    return [`${block.name} ${shown}${cut}${failed.has(block.id) ? " (failed, rejected or unknown)" : ""}`];
  });
  if (calls.length === 0) return [];
  const text = `${CALLED}\n<data>${fence(calls.join("\n"))}</data>`;
  return [{ type: "text", text, isOurs: true }];
};

const CALLED = "[Calls of this turn, left out here with their results:]";
