/** The turn as the conversation keeps it: complete and valid, however the run ended. */
import type { EndedTurn } from "../adapter.ts";
import type { KeptTurn } from "../stored-conversation.ts";
import type { TurnCheckpoint } from "../turn.ts";
import { tokensOf } from "./compaction.ts";
import { TurnState, withContext } from "./conversation.ts";
import { repairTurn } from "./repair-turn.ts";
import { type CallEffect, omittedLine } from "./shorten-conversation.ts";
import { turnRows } from "./stored-turns.ts";
import { toolResultMessage } from "./tool-results.ts";
import { progressOf } from "./turn-progress.ts";

/** What the session keeps of a turn of ours. */
export const keepTurn = ({ runId, model, checkpoint, stopReason, error, ...ended }: EndedTurn): KeptTurn => {
  const { messages, answer, lastUsage } = progressOf(checkpoint);
  const results = answer !== undefined && answer.calls.length > 0 ? [toolResultMessage(answer.calls)] : [];
  const state = ended.state && TurnState.parse(ended.state);
  const whole = [...messages, ...results];
  const sent = state === undefined ? whole : withContext(whole, state);
  // After that failure the size that fits is not known: nothing was accepted.
  const isTooLong = error?.code === "context_too_long";
  const inputTokens = lastUsage === undefined ? state?.facts.inputTokens : tokensOf(lastUsage);
  return {
    turn: turnRows({ runId, model, messages: repairTurn(sent) }),
    omitted: stopReason === "refusal" ? omittedLine(effectsOf(checkpoint)) : undefined,
    facts: state && JSON.stringify({ ...state.facts, ...(isTooLong ? { maxBytes: null } : {}), inputTokens }),
  };
};

/** Calls of the whole turn that changed something, or may have, oldest first. */
const effectsOf = ({ steps }: TurnCheckpoint): CallEffect[] =>
  steps
    .flatMap(({ calls }) => calls)
    .flatMap(({ tool, title, kind, state }): CallEffect[] => {
      const status = state.type === "ended" ? state.result.status : undefined;
      const hasEffect = kind !== "read" && (status === "completed" || status === "unknown");
      return hasEffect ? [{ tool, title, isCertain: status === "completed" }] : [];
    });
