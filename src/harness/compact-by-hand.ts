/** Summarizes a conversation that no turn is running in. */
import type { Model } from "../model/model.ts";
import { coveredTurns, estimateTokens, summarize } from "./compaction.ts";
import type { ResumeState } from "./conversation.ts";
import { rebind } from "./rebind.ts";
import type { RequestPrefix } from "./request-prefix.ts";
import type { NewCompaction } from "./turn-keeper.ts";

/** The summary, and tokens before and after; both are the same, without one, when there is nothing to summarize. */
export type HandCompaction = {
  readonly compaction: NewCompaction | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};

/** Asks for it; `failed` when the provider gave none. */
export const compactByHand = async (
  resumeState: ResumeState,
  model: Model,
  prefix: RequestPrefix,
): Promise<HandCompaction | "failed"> => {
  const { turns, compaction: earlier, hasOlder } = resumeState;
  const facts = rebind(resumeState.facts, resumeState, false, { model: model.name, prefixHash: prefix.hash });
  const base = { model, prefix, effort: undefined, dropsBlocks: facts.dropsBlocks };
  const whole = { turns, compaction: earlier, hasOlder, cut: facts.cut };
  const tokens = facts.inputTokens || estimateTokens(whole, base);
  const covered = coveredTurns(turns);
  if (model.compact === undefined || covered.length === 0) {
    return { compaction: undefined, tokensBefore: tokens, tokensAfter: tokens };
  }
  const made = await summarize({ whole, covered, tokens, trigger: "manual" }, base, new AbortController().signal);
  if (made === undefined) return "failed";
  const { tokensAfter } = made.event;
  const after = JSON.stringify({ ...facts, inputTokens: tokensAfter });
  return { compaction: { ...made, facts: after }, tokensBefore: tokens, tokensAfter };
};
