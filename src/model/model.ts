/** The seam to a model: a request in, the Messages API's stream events out. The Anthropic client and the demo model fill it. */
import type { Effort } from "../contract/models.ts";
import type { Usage } from "../contract/run.ts";
import type { Message, OpaqueBlock } from "./messages.ts";
import type { ModelEvent } from "./model-event.ts";
import type { ModelFacts } from "./model-facts.ts";

/** A tool as the model is told of it. `inputSchema` is JSON Schema of an object. */
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
  /** How hard it is to think; undefined leaves that to the model. */
  readonly effort?: Effort | undefined;
  /** Whether it thinks as much as it likes, and tells in a summary what. Only for models that have adaptive thinking. */
  readonly hasThinking?: boolean;
  /** Whether the provider may drop thinking that does not fit what stands before it, instead of refusing the request. */
  readonly dropsBlocks?: boolean;
};

/**
 * Streams one model message. Events come in the API's own order, `message_start` first and `message_stop` last; a
 * stream that ends before `message_stop` was cut. When `signal` aborts it ends early, without error.
 *
 * @throws {ModelFailure} when it is iterated and the model cannot answer. It never retries: only the loop can tell the client.
 */
type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** A summary of a conversation. `block` goes first in later requests, in place of what it covers, exactly as it came. */
export type Compaction = { readonly block: OpaqueBlock; readonly text: string; readonly usage: Usage };

/**
 * Summarizes the messages of a request, which has the system prompt and tools of the conversation.
 *
 * @throws {ModelFailure} when the model gives no summary.
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
