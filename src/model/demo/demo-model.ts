/** The model of a laptop without a credential: no intelligence, but real tool calls and the real stream. */
import { DEMO_NAME } from "../allowed-models.ts";
import type { Model, ModelRequest } from "../model.ts";
import type { ModelEvent } from "../model-event.ts";
import { type DemoCall, type DemoStep, nextStep } from "./demo-turn.ts";

/** Characters of a call's JSON in one delta. */
const JSON_PIECE_LENGTH = 16;

/** A rough size in tokens, so that the usage people see grows as it would with a real model. */
const estimateTokens = (text: string): number => Math.ceil(text.length / 4);

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

/** All Messages API events of one message, in order: text word by word, a call's input in pieces. */
const demoEvents = (step: DemoStep, model: string, inputTokens: number): ModelEvent[] => {
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

/** Lets everything else that is ready run first: other streams, and the abort of this one. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const inputTokens = estimateTokens(JSON.stringify([request.system, request.messages]));
  for (const event of demoEvents(nextStep(request), DEMO_NAME, inputTokens)) {
    await breathe();
    if (signal.aborted) return;
    yield event;
  }
}

/** Deterministic: the same conversation gets the same answer, so a restarted call continues unchanged. */
export const demoModel: Model = {
  name: DEMO_NAME,
  facts: {
    ...{ id: DEMO_NAME, name: "Demo", contextTokens: 200_000, maxOutputTokens: 8_192 },
    ...{ efforts: [], hasAdaptiveThinking: false, canCompact: false },
  },
  stream,
  compact: undefined,
};
