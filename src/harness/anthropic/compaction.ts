/**
 * Summaries of earlier turns: when one is due, what it covers, and asking the provider for it. The provider writes a summary
 * on request, and thinking that follows it stays valid
 * (https://platform.claude.com/docs/en/build-with-claude/compaction-thinking-blocks). The store keeps every turn.
 */
import { log } from "../../contract/log.ts";
import type { Usage } from "../../contract/run.ts";
import type { EventOf } from "../../contract/transcript.ts";
import { pause, withTimeLimit } from "../../contract/within.ts";
import type { Model } from "../../model/model.ts";
import { ModelFailure } from "../../model/model-failure.ts";
import { type FailedCompaction, MAX_COMPACTION_MS, type ManualCompaction } from "../turn.ts";
import { guidanceAfter } from "./again/guidance.ts";
import { retryDelayMs } from "./call-model.ts";
import type { ConversationFacts, ConversationTurn, Guidance, ResumeState } from "./conversation.ts";
import { newCompaction, type Summary } from "./conversation-keeper.ts";
import { rebind } from "./rebind.ts";
import { type RequestBase, type RequestPrefix, requestOf } from "./request-prefix.ts";
import { positionOf, type SentConversation, sizeOfConversation } from "./shorten-conversation.ts";

/** Input tokens of a turn above which a summary pays off, since every further call reads all of them. */
const MAX_INPUT_TOKENS = 150_000;

/** Share of a model's window above which a summary is necessary. */
const WINDOW_SHARE = 0.6;

/**
 * How many times longer a conversation must be before a summary that failed is asked for again: each try may cost money, and takes time.
 */
const LONGER = 1.25;

/** How many of the newest earlier turns are kept whole. */
const TURNS_KEPT = 2;

/** UTF-8 bytes per token, for an estimate that leans neither way. */
const BYTES_PER_TOKEN = 4;

/**
 * Whether an input of this many tokens should be summarized, for a model with this window. `noSummaryAt`: the tokens at which a summary
 * failed, or 0.
 */
export const isCompactionDue = (contextTokens: number, inputTokens: number, noSummaryAt = 0): boolean =>
  inputTokens > Math.max(Math.min(MAX_INPUT_TOKENS, contextTokens * WINDOW_SHARE), noSummaryAt * LONGER);

/**
 * The earlier turns that a summary covers, oldest first; empty when there is nothing to summarize. The last of them ends with
 * a message of the model: what follows must have the other role, or the API joins the two.
 */
export const coveredTurns = (earlier: readonly ConversationTurn[]): readonly ConversationTurn[] => {
  const old = earlier.slice(0, Math.max(0, earlier.length - TURNS_KEPT));
  return old.slice(0, old.findLastIndex(endsWithAnswer) + 1);
};

const endsWithAnswer = ({ messages }: ConversationTurn): boolean => messages.at(-1)?.role === "assistant";

/** Estimated tokens of a whole request, without asking the provider. */
export const estimateTokens = (conversation: SentConversation, { prefix }: RequestBase): number =>
  Math.ceil((sizeOfConversation(conversation) + prefix.bytes) / BYTES_PER_TOKEN);

/** What to summarize: `covered` is the part of `whole` to summarize, and `tokens` is the size of all of it. */
type Summarizing = {
  readonly whole: SentConversation;
  readonly covered: readonly ConversationTurn[];
  /** What was to be done before the covered turns. */
  readonly guidance: Guidance | undefined;
  readonly tokens: number;
  readonly trigger: EventOf<"context_compacted">["trigger"];
};

/** A summary that failed. `taken`: the tokens it used all the same; undefined if the provider read nothing. */
type Failed = { readonly taken: Usage | undefined };

/** The summary. Undefined when there is nothing to cover. Never rejects. */
export const summarize = async (
  { whole, covered, guidance: before, tokens, trigger }: Summarizing,
  base: RequestBase,
  signal: AbortSignal,
): Promise<Summary | Failed | undefined> => {
  const { model } = base;
  const { compact } = model;
  const last = covered.at(-1);
  if (compact === undefined || last === undefined) return undefined;
  const mark = whole.cut.resultsBefore;
  // Among the covered turns alone, a mark after them would be unknown, and nothing would be left out.
  const isBehind = positionOf(whole.turns, mark).turn > whole.turns.indexOf(last);
  const resultsBefore = isBehind ? { runId: last.runId, message: last.messages.length } : mark;
  const range = { ...whole, turns: covered, cut: { ...whole.cut, resultsBefore } };
  try {
    const askInTime = (limited: AbortSignal) => {
      const ask = () => compact(requestOf(base, range), limited);
      // A summary by hand is asked for once: the person can ask again.
      return trigger === "auto" ? askTwice(ask, limited) : ask();
    };
    const { block, text, usage } = await withTimeLimit(MAX_COMPACTION_MS, askInTime, signal);
    const share = sizeOfConversation(range) / (sizeOfConversation(whole) + base.prefix.bytes);
    const tokensAfter = Math.max(0, Math.round(tokens * (1 - share))) + usage.outputTokens;
    const event = { trigger, tokensBefore: tokens, tokensAfter, summary: text, usage };
    const guidance = guidanceAfter(
      covered.flatMap(({ messages }) => messages),
      before,
    );
    return { upToRunId: last.runId, block, model: model.name, event, guidance };
  } catch (error) {
    const taken = error instanceof ModelFailure ? error.taken : undefined;
    if (!signal.aborted) log.warn("No summary.", { error });
    // Cut off before the provider reported its usage, which it does at the end. Without this estimate, stopping each summary would make it
    // free.
    const isUnsaid = taken !== undefined && tokensOf(taken) === 0;
    return { taken: isUnsaid ? { ...taken, inputTokens: estimateTokens(range, base) } : taken };
  }
};

/** Asks again after a failure that may pass: without a summary, a conversation that is too long is cut for good. */
const askTwice = async <Made>(ask: () => Promise<Made>, signal: AbortSignal): Promise<Made> => {
  try {
    return await ask();
  } catch (error) {
    // What the provider has begun to read is paid for, so it is not sent again.
    const failure = error instanceof ModelFailure && error.taken === undefined ? error : undefined;
    const delayMs = failure?.isUnclear ? 0 : failure && retryDelayMs(failure, 1, Math.random());
    if (delayMs === undefined) throw error;
    await pause(delayMs, signal);
    if (signal.aborted) throw error;
  }
  return await ask();
};

/** The conversation after a summary of its older turns: the summary, and the turns that follow it. */
export const behindSummary = (
  { block, event, guidance }: Summary,
  turns: readonly ConversationTurn[],
  before: ConversationFacts,
): ResumeState => {
  // The turns that a cut could have left out are part of the summary now.
  const cut = { ...before.cut, turnsFrom: null };
  const facts = { ...before, inputTokens: event.tokensAfter, noSummaryAt: 0, cut };
  return { turns, compaction: block, hasOlder: false, facts, guidance };
};

/** All tokens of a model call: the next call reads them again. */
export const tokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;

/** A summary that a person asks for, with the effort of the thread's last turn. */
export const compactByHand = async (
  resumeState: ResumeState,
  model: Model,
  prefix: RequestPrefix,
): Promise<ManualCompaction | FailedCompaction> => {
  const { turns, compaction: earlier, hasOlder, guidance } = resumeState;
  const facts = rebind(resumeState.facts, resumeState, false, { model: model.name, prefixHash: prefix.hash });
  const effort = model.facts.efforts.find((one) => one === facts.effort);
  const base = { model, prefix, effort, dropsBlocks: facts.dropsBlocks };
  const whole = { turns, compaction: earlier, hasOlder, cut: facts.cut };
  const tokens = facts.inputTokens || estimateTokens(whole, base);
  const covered = coveredTurns(turns);
  if (model.compact === undefined || covered.length === 0) {
    return { compaction: undefined, tokensBefore: tokens, tokensAfter: tokens };
  }
  const made = await summarize(
    { whole, covered, guidance, tokens, trigger: "manual" },
    base,
    new AbortController().signal,
  );
  if (made === undefined || "taken" in made) return { failed: made?.taken };
  const { tokensAfter } = made.event;
  const after = JSON.stringify({ ...facts, inputTokens: tokensAfter, noSummaryAt: 0 });
  return { compaction: { ...newCompaction(made), facts: after }, tokensBefore: tokens, tokensAfter };
};
