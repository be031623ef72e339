/** Asks a model in tests: a small request, and all events of its answer. */
import { anthropicModel } from "../../src/model/anthropic/anthropic-model.ts";
import type { Model, ModelRequest } from "../../src/model/model.ts";
import type { ModelEvent } from "../../src/model/model-event.ts";

/** A request of one user text and no tools; `overrides` replace what a test is about. */
export const ask = (prompt: string, overrides: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "claude-sonnet-5-5",
  system: [],
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
  maxTokens: 1_000,
  ...overrides,
});

/** The Anthropic model at a test server. */
export const modelAt = (baseUrl: string, maxSilenceMs?: number): Model =>
  anthropicModel({
    name: "claude-sonnet-5-5",
    credential: { type: "api_key", secret: "test-key" },
    baseUrl,
    ...(maxSilenceMs === undefined ? {} : { maxSilenceMs }),
  });

/** All events of one answer; `onEvent` sees each, also those before a failure. */
export const collect = async (
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<ModelEvent[]> => {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) {
    events.push(event);
    onEvent(event);
  }
  return events;
};
