/** The user message that answers a model message's calls: one result for each, in the model's order. */
import type { Message, ToolResultBlock } from "../model/messages.ts";
import type { ToolCall } from "./turn.ts";

/** Most tool output of one message together, and so of one call, in UTF-8 bytes (RUN.md, The conversation). */
export const MAX_OUTPUT_BYTES = 256_000;

/** Shown where an output was cut. */
const CUT_MARK = "\n[cut: the rest of this output is left out]";

/** Said for a call that never came to an end. */
const NO_RESULT = "This call has no result: the run ended first.";

/** The results of all calls. Long ones share what room there is. A call without a result says so. */
export const toolResultMessage = (calls: readonly ToolCall[]): Message => {
  const share = shareOf(calls.map((call) => bytesOf(outputOf(call))));
  return { role: "user", content: calls.map((call) => toolResult(call, share)) };
};

const toolResult = (call: ToolCall, maxBytes: number): ToolResultBlock => {
  const { state } = call;
  const output = outputOf(call);
  const isError = state.type !== "ended" || state.result.status !== "completed";
  return {
    type: "tool_result",
    tool_use_id: call.toolUseId,
    content: cutOutput(output, maxBytes),
    ...(isError ? { is_error: true } : {}),
  };
};

const outputOf = ({ state }: ToolCall): string => (state.type === "ended" ? state.result.output : NO_RESULT);

/** What each may have: short ones leave their rest to the long ones. */
const shareOf = (sizes: readonly number[]): number => {
  let room = MAX_OUTPUT_BYTES;
  let left = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size > room / left) return Math.floor(room / left);
    room -= size;
    left -= 1;
  }
  return MAX_OUTPUT_BYTES;
};

const encoder = new TextEncoder();

const bytesOf = (text: string): number => encoder.encode(text).byteLength;

/** The output, cut to `maxBytes` of UTF-8 with a mark that says so; never inside a character. */
export const cutOutput = (output: string, maxBytes: number): string => {
  if (bytesOf(output) <= maxBytes) return output;
  const { read } = encoder.encodeInto(output, new Uint8Array(Math.max(0, maxBytes - bytesOf(CUT_MARK))));
  return output.slice(0, read) + CUT_MARK;
};
