/**
 * Summaries of earlier turns: when one is due, what it covers, and asking the provider for it. The provider writes it on demand,
 * and thinking that follows it stays valid
 * (https://platform.claude.com/docs/en/build-with-claude/compaction-thinking-blocks). The store keeps every turn.
 */
import { errorText } from "../contract/error-text.ts";
import type { Usage } from "../contract/run.ts";
import type { EventOf } from "../contract/transcript.ts";
import type { ConversationTurn } from "./conversation.ts";
import { type RequestBase, requestOf } from "./request-base.ts";
import { type SentConversation, sentMessages, sizeOfConversation } from "./shorten-conversation.ts";
import type { NewCompaction } from "./turn-keeper.ts";

/** Input of a turn past which a summary pays: each further call reads all of it. */
const MAX_INPUT_TOKENS = 150_000;

/** Share of a model's window past which it is needed. */
const WINDOW_SHARE = 0.6;

/** Newest earlier turns that stay whole. */
const TURNS_KEPT = 2;

/** Longest a summary may take, in ms: a person may wait for it (`POST …/compact`). */
export const MAX_COMPACTION_MS = 120_000;

/** UTF-8 bytes of a token, for an estimate that errs on neither side. */
const BYTES_PER_TOKEN = 4;

/** Whether an input of so many tokens is to be made shorter, for a model with this window. */
export const isCompactionDue = (contextTokens: number, inputTokens: number): boolean =>
  inputTokens > Math.min(MAX_INPUT_TOKENS, contextTokens * WINDOW_SHARE);

/**
 * The earlier turns that a summary covers, oldest first; none when there is nothing to summarize. The last one of them ends
 * with the model's words: what follows has to be of the other role, or the API joins the two.
 */
export const coveredTurns = (earlier: readonly ConversationTurn[]): readonly ConversationTurn[] => {
  const old = earlier.slice(0, Math.max(0, earlier.length - TURNS_KEPT));
  return old.slice(0, old.findLastIndex(endsWithAnswer) + 1);
};

const endsWithAnswer = ({ messages }: ConversationTurn): boolean => messages.at(-1)?.role === "assistant";

/** Tokens of a whole request, as far as that can be said without asking the provider. */
export const estimateTokens = (conversation: SentConversation, { prefix }: RequestBase): number =>
  Math.ceil((sizeOfConversation(conversation) + prefix.bytes) / BYTES_PER_TOKEN);

/** What is to be summarized: `covered` of `whole`, which has `tokens` in all. */
export type Summarizing = {
  readonly whole: SentConversation;
  readonly covered: readonly ConversationTurn[];
  readonly tokens: number;
  readonly trigger: EventOf<"context_compacted">["trigger"];
};

/** The summary; undefined when there is nothing to cover, or the provider gives none in time. Never rejects. */
export const summarize = async (
  { whole, covered, tokens, trigger }: Summarizing,
  base: RequestBase,
  signal: AbortSignal,
): Promise<NewCompaction | undefined> => {
  const { model } = base;
  const last = covered.at(-1);
  if (model.compact === undefined || last === undefined) return undefined;
  const range = { ...whole, turns: covered };
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_COMPACTION_MS)]);
    const { block, text, usage } = await model.compact(requestOf(base, sentMessages(range)), limited);
    const share = sizeOfConversation(range) / (sizeOfConversation(whole) + base.prefix.bytes);
    const tokensAfter = Math.round(tokens * (1 - share)) + usage.outputTokens;
    const event = { trigger, tokensBefore: tokens, tokensAfter, summary: text, usage };
    return { upToRunId: last.runId, block, model: model.name, event };
  } catch (error) {
    if (!signal.aborted) {
      console.warn(JSON.stringify({ level: "warn", message: "No summary.", error: errorText(error) }));
    }
    return undefined;
  }
};

/** All tokens of a model call, which the next one reads again. */
export const tokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
