/** A step of the demo model as the Messages API's events: text word by word, a call's input in pieces. */
import type { DemoCall, DemoStep } from "./demo-turn.ts";
import type { ModelEvent } from "./model-event.ts";

/** Characters of a call's JSON in one delta. */
const JSON_PIECE_LENGTH = 16;

/** A rough size in tokens, so that the usage that people see grows as it would with a model that counts. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4);

const textEvents = (index: number, text: string): ModelEvent[] => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  ...(text.match(/\S+\s*/g) ?? []).map(
    (word): ModelEvent => ({ type: "content_block_delta", index, delta: { type: "text_delta", text: word } }),
  ),
  { type: "content_block_stop", index },
];

const callEvents = (index: number, { id, name, input }: DemoCall): ModelEvent[] => [
  { type: "content_block_start", index, content_block: { type: "tool_use", id, name } },
  ...(JSON.stringify(input).match(new RegExp(`.{1,${JSON_PIECE_LENGTH}}`, "gsu")) ?? []).map(
    (piece): ModelEvent => ({
      type: "content_block_delta",
      index,
      delta: { type: "input_json_delta", partial_json: piece },
    }),
  ),
  { type: "content_block_stop", index },
];

/** All events of one message, in the API's order. */
export const demoEvents = (step: DemoStep, model: string, inputTokens: number): ModelEvent[] => {
  const texts = step.text === "" ? [] : [step.text];
  const calls = step.call === undefined ? [] : [step.call];
  const outputTokens = estimateTokens(step.text + JSON.stringify(calls));
  return [
    { type: "message_start", message: { model, usage: { input_tokens: inputTokens, output_tokens: 0 } } },
    ...texts.flatMap((text) => textEvents(0, text)),
    ...calls.flatMap((call) => callEvents(texts.length, call)),
    {
      type: "message_delta",
      delta: { stop_reason: step.call === undefined ? "end_turn" : "tool_use" },
      usage: { output_tokens: outputTokens },
    },
    { type: "message_stop" },
  ];
};
