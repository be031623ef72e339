/** The turn as the conversation keeps it: complete and valid, however the run ended. */
import type { EndedTurn } from "../adapter.ts";
import type { KeptTurn } from "../stored-conversation.ts";
import type { TurnCheckpoint } from "../turn.ts";
import { tokensOf } from "./compaction.ts";
import { type ConversationTurn, NO_CUT, TurnState, withContext } from "./conversation.ts";
import { repairTurn } from "./repair-turn.ts";
import { type CallEffect, omittedLine, sentMessages, shorten } from "./shorten-conversation.ts";
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
  const turn = { runId, model, messages: repairTurn(sent) };
  const kept = fitting(turn);
  // Where it was cut before is counted in messages that may be gone.
  const cut = state && kept !== turn ? { ...state.facts.cut, resultsBefore: null, stepsFrom: null } : undefined;
  return {
    turn: turnRows(kept),
    omitted: stopReason === "refusal" ? omittedLine(effectsOf(checkpoint)) : undefined,
    facts:
      state &&
      JSON.stringify({ ...state.facts, ...(isTooLong ? { maxBytes: null } : {}), ...(cut && { cut }), inputTokens }),
  };
};

/**
 * Most of a turn that is kept, in UTF-16 units. A call to the session takes 32 MiB, and a unit may be two bytes there: a turn beyond that
 * could never be handed over, and its thread would wait behind it for ever. It is far more than is loaded again.
 */
const MAX_KEPT_LENGTH = 12_000_000;

/** The turn. What is too much is left out as it is from a request: results first, then steps, oldest first. */
const fitting = (turn: ConversationTurn): ConversationTurn => {
  const { rows } = turnRows(turn);
  if (rows.reduce((sum, { body }) => sum + body.length, 0) <= MAX_KEPT_LENGTH) return turn;
  const alone = { turns: [turn], compaction: undefined, hasOlder: false, cut: NO_CUT };
  return { ...turn, messages: sentMessages({ ...alone, cut: shorten(alone, MAX_KEPT_LENGTH) }) };
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
