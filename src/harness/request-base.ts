/** What all requests of a turn have in common. */
import type { Effort } from "../contract/models.ts";
import type { Message } from "../model/messages.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import type { RequestPrefix } from "./request-prefix.ts";

/** Most tokens of one model message, thinking included: an answer that is cut for its length is worth little. */
const MAX_OUTPUT_TOKENS = 32_768;

export type RequestBase = {
  readonly model: Model;
  readonly prefix: RequestPrefix;
  /** How hard the model is to think, where the person chose. */
  readonly effort: Effort | undefined;
  /** Whether the provider may drop thinking that no longer fits. */
  readonly dropsBlocks: boolean;
};

/** The request that sends these messages. */
export const requestOf = (
  { model, prefix, effort, dropsBlocks }: RequestBase,
  messages: readonly Message[],
): ModelRequest => ({
  model: model.name,
  system: prefix.system,
  tools: prefix.tools,
  messages,
  maxTokens: Math.min(MAX_OUTPUT_TOKENS, model.facts.maxOutputTokens),
  hasThinking: model.facts.hasAdaptiveThinking,
  dropsBlocks,
  effort,
});

/** Share of the window that input may fill; the rest is for the answer and for the error of the estimate. */
const INPUT_SHARE = 0.7;

/** UTF-8 bytes a token has at the least, on average: English has about four, other scripts about three. */
const BYTES_PER_TOKEN = 3;

/** Most bytes of messages that fit into the model's window beside system and tools. May be below 0. */
export const roomOf = ({ model, prefix }: Pick<RequestBase, "model" | "prefix">): number =>
  model.facts.contextTokens * INPUT_SHARE * BYTES_PER_TOKEN - prefix.bytes;
