/** Talks to the demo model as the loop does: runs its calls against given results until it stops. */
import { joinRoles } from "../../src/harness/anthropic/conversation.ts";
import { demoModel } from "../../src/model/demo/demo-model.ts";
import type { ContentBlock, Message, ToolUseBlock } from "../../src/model/messages.ts";
import type { ModelTool } from "../../src/model/model.ts";
import type { ModelEvent } from "../../src/model/model-event.ts";
import { ask, collect } from "./ask-model.ts";

/** What a tool returns: an object is sent as JSON, a text as it is, an `Error` as a failed result. */
export type ToolOutcome = Readonly<Record<string, unknown>> | string | Error;

/** A finished talk: the calls that were made, what was said last, and the whole conversation. */
export type Talk = {
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly answer: string;
  readonly messages: readonly Message[];
};

const toolOf = (name: string): ModelTool => ({ name, description: "", inputSchema: { type: "object" } });

const blockOf = (events: readonly ModelEvent[], index: number): ContentBlock[] => {
  const deltas = events.flatMap((event) =>
    event.type === "content_block_delta" && event.index === index ? [event.delta] : [],
  );
  const text = deltas.map((delta) => (delta.type === "text_delta" ? delta.text : "")).join("");
  const json = deltas.map((delta) => (delta.type === "input_json_delta" ? delta.partial_json : "")).join("");
  const start = events.find((event) => event.type === "content_block_start" && event.index === index);
  if (start?.type !== "content_block_start") return [];
  const block = start.content_block;
  if (block.type === "tool_use") return [{ type: "tool_use", id: block.id, name: block.name, input: JSON.parse(json) }];
  return [{ type: "text", text }];
};

const resultOf = (call: ToolUseBlock, outcome: ToolOutcome): ContentBlock => ({
  type: "tool_result",
  tool_use_id: call.id,
  content: outcome instanceof Error ? outcome.message : typeof outcome === "string" ? outcome : JSON.stringify(outcome),
  ...(outcome instanceof Error && { is_error: true }),
});

/** Sends `prompt` after `earlier` messages, behind its `context`; roles alternate, as the loop has them. `tools` has, by name, the tools that are offered and what they return. */
export const talkToDemo = async (
  prompt: string,
  tools: Readonly<Record<string, ToolOutcome>>,
  earlier: readonly Message[] = [],
  context?: string,
): Promise<Talk> => {
  const offered = Object.keys(tools).map(toolOf);
  const before: ContentBlock[] = context === undefined ? [] : [{ type: "text", text: context, isOurs: true }];
  const asked: Message = { role: "user", content: [...before, { type: "text", text: prompt }] };
  const messages = joinRoles([...earlier, asked]);
  const calls: ToolUseBlock[] = [];
  for (;;) {
    const events = await collect(demoModel, ask("", { tools: offered, messages }));
    const content = [0, 1].flatMap((index) => blockOf(events, index));
    messages.push({ role: "assistant", content });
    const uses = content.filter((block) => block.type === "tool_use");
    const answer = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    if (uses.length === 0) return { calls: calls.map(({ name, input }) => ({ name, input })), answer, messages };
    calls.push(...uses);
    messages.push({ role: "user", content: uses.map((call) => resultOf(call, tools[call.name] ?? "")) });
  }
};
