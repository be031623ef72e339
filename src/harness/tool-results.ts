/** The user message that answers a model message's calls: one result for each, in the model's order. */
import { cutText } from "../contract/cut-text.ts";
import type { Message, ToolResultBlock } from "../model/messages.ts";
import type { ToolCall } from "./turn.ts";

/** Most tool output of one message together, and so of one call, in UTF-16 units (RUN.md, The conversation). */
export const MAX_OUTPUT_LENGTH = 256_000;

/** Shown where an output was cut. */
const CUT_MARK = "\n[cut: the rest of this output is left out]";

/** Said for a call that never came to an end. */
const NO_RESULT = "This call has no result: the run ended first.";

/** The results of all calls. Long ones share what room there is. A call without a result says so. */
export const toolResultMessage = (calls: readonly ToolCall[]): Message => {
  const share = Math.floor(MAX_OUTPUT_LENGTH / Math.max(1, calls.length));
  return { role: "user", content: calls.map((call) => toolResult(call, share)) };
};

const toolResult = (call: ToolCall, maxLength: number): ToolResultBlock => {
  const { state } = call;
  const output = state.type === "ended" ? state.result.output : NO_RESULT;
  const isError = state.type !== "ended" || state.result.status !== "completed";
  return {
    type: "tool_result",
    tool_use_id: call.toolUseId,
    content: cutOutput(output, maxLength),
    ...(isError ? { is_error: true } : {}),
  };
};

/** The output, cut to `maxLength` with a mark that says so. */
export const cutOutput = (output: string, maxLength: number): string =>
  output.length <= maxLength ? output : cutText(output, maxLength - CUT_MARK.length) + CUT_MARK;
