/** The seam to a model: a request in, the Messages API's stream events out. The Anthropic client and the demo model fill it. */
import type { Message } from "./messages.ts";
import type { ModelEvent } from "./model-event.ts";

/** A tool as the model is told of it. `inputSchema` is JSON Schema of an object. */
export type ModelTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

/** One call. `system` parts are sent in order; the first is the one that stays the same from turn to turn. */
export type ModelRequest = {
  readonly model: string;
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
  readonly messages: readonly Message[];
  readonly maxTokens: number;
};

/**
 * Streams one model message. Events come in the API's own order, `message_start` first and `message_stop` last; a
 * stream that ends before `message_stop` was cut. When `signal` aborts it ends early, without error.
 *
 * @throws {ModelFailure} when it is iterated and the model cannot answer. It never retries: only the loop can tell the client.
 */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** A model ready to be asked. */
export type Model = {
  /** Name shown in `run_start` and stored with the conversation, such as `claude-sonnet-5-5`. */
  readonly name: string;
  readonly stream: StreamModel;
};
