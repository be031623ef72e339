/** The seam to a model: a request in, stream events of the Messages API out. Implemented by the Anthropic client and the demo model. */
import type { Effort } from "../contract/models.ts";
import type { Usage } from "../contract/run.ts";
import type { Message, OpaqueBlock } from "./messages.ts";
import type { ModelEvent } from "./model-event.ts";
import type { ModelFacts } from "./model-facts.ts";

/** A tool as described to the model. `inputSchema` is the JSON Schema of an object. */
export type ModelTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

/** One call. `system` parts are sent in order. */
export type ModelRequest = {
  readonly model: string;
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  /** How hard it should think; undefined leaves that to the model. */
  readonly effort?: Effort | undefined;
  /**
   * Whether it may think as much as it likes, and summarizes its thinking. Only for models with adaptive thinking, and for one of which
   * nothing is known but that it has thought unasked (`requestOf`).
   */
  readonly hasThinking?: boolean;
  /** Whether the provider may drop thinking that does not fit what precedes it, instead of refusing the request. */
  readonly dropsBlocks?: boolean;
};

/**
 * Streams one model message. Events are in the API's own order, `message_start` first and `message_stop` last; a stream that ends
 * before `message_stop` was cut off. When `signal` aborts it ends early, without error.
 *
 * @throws {ModelFailure} during iteration, when the model cannot answer. It never retries: only the loop can tell the client.
 */
type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** A summary of a conversation. In later requests `block` comes first, unchanged, in place of what it covers. */
export type Compaction = { readonly block: OpaqueBlock; readonly text: string; readonly usage: Usage };

/**
 * Summarizes the messages of a request, which has the system prompt and tools of the conversation.
 *
 * @throws {ModelFailure} when the model returns no summary.
 */
type CompactConversation = (request: ModelRequest, signal: AbortSignal) => Promise<Compaction>;

/** A model ready to be asked. */
export type Model = {
  /** Name shown in `run_start` and stored with the conversation, such as `claude-sonnet-5-5`. */
  readonly name: string;
  readonly facts: ModelFacts;
  readonly stream: StreamModel;
  /** Undefined for a model that cannot summarize. */
  readonly compact: CompactConversation | undefined;
};
