/** The user message that answers a model message's calls: one result for each call, in the model's order. */
import type { Message, ToolResultBlock } from "../../model/messages.ts";
import { cutOutputs, MAX_OUTPUT_BYTES, THEY_SAID } from "../model-text.ts";
import { askUserTool } from "../tools/person-tools.ts";
import type { ToolCall } from "../turn.ts";

/** The result of a call that never finished. */
const NO_RESULT = "This call has no result: the run ended first.";

/** The results of all calls. Long ones share the available room. A call without a result says so. */
export const toolResultMessage = (calls: readonly ToolCall[]): Message => {
  const outputs = cutOutputs(calls.map(outputOf), MAX_OUTPUT_BYTES);
  return { role: "user", content: calls.map((call, index) => toolResult(call, outputs[index] ?? "")) };
};

const toolResult = (call: ToolCall, content: string): ToolResultBlock => {
  const { state } = call;
  const isError = state.type !== "ended" || state.result.status !== "completed";
  return {
    type: "tool_result",
    tool_use_id: call.toolUseId,
    content,
    ...(isError ? { is_error: true } : {}),
    ...(isSaid(call) ? { isSaid: true } : {}),
  };
};

/** Whether the result holds what a person wrote: answers, or a refusal with words. */
const isSaid = ({ tool, state }: ToolCall): boolean => {
  if (state.type !== "ended") return false;
  const { status, output } = state.result;
  return status === "denied" ? output.includes(THEY_SAID) : status === "completed" && tool === askUserTool.name;
};

const outputOf = ({ state }: ToolCall): string => (state.type === "ended" ? state.result.output : NO_RESULT);
