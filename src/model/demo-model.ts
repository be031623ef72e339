/** The model of a laptop without a credential: no intelligence, but real tool calls and the real stream (DESIGN §4). */
import { demoEvents, estimateTokens } from "./demo-stream.ts";
import { nextStep } from "./demo-turn.ts";
import type { Model, ModelRequest } from "./model.ts";
import type { ModelEvent } from "./model-event.ts";

const NAME = "demo";

/** Lets everything else that is ready run first: other streams, and the abort of this one. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const inputTokens = estimateTokens(JSON.stringify([request.system, request.messages]));
  for (const event of demoEvents(nextStep(request), NAME, inputTokens)) {
    await breathe();
    if (signal.aborted) return;
    yield event;
  }
}

/** Deterministic: the same conversation gets the same answer, so a restarted call goes on as it was. */
export const demoModel: Model = {
  name: NAME,
  facts: {
    ...{ id: NAME, name: "Demo", contextTokens: 200_000, maxOutputTokens: 8_192 },
    ...{ efforts: [], hasAdaptiveThinking: false, canCompact: false },
  },
  stream,
  compact: undefined,
};
