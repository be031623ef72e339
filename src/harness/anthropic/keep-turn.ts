/**
 * The turn as the conversation keeps it: complete and valid, whether the run ended, was aborted, failed or crashed, so that the
 * API always accepts the thread's next turn.
 */
import type { ContentBlock, Message, ToolResultBlock } from "../../model/messages.ts";
import type { EndedTurn } from "../adapter.ts";
import { type KeptTurn, MAX_LOADED_LENGTH } from "../stored-conversation.ts";
import type { TurnCheckpoint } from "../turn.ts";
import { type CallEffect, omittedLine } from "./again/left-out.ts";
import { tokensOf } from "./compaction.ts";
import { type ConversationTurn, NO_CUT, TurnState, withContext } from "./conversation.ts";
import { isThinking } from "./sendable-content.ts";
import { sentMessages, shorten } from "./shorten-conversation.ts";
import { turnRows } from "./stored-turns.ts";
import { toolResultMessage } from "./tool-results.ts";
import { progressOf } from "./turn-progress.ts";

/** What the session keeps of a turn of ours. */
export const keepTurn = ({ runId, model, checkpoint, error, ...ended }: EndedTurn): KeptTurn => {
  const { messages, answer, lastUsage } = progressOf(checkpoint);
  const results = answer !== undefined && answer.calls.length > 0 ? [toolResultMessage(answer.calls)] : [];
  const state = ended.state && TurnState.parse(ended.state);
  const whole = [...messages, ...results];
  const sent = state === undefined ? whole : withContext(whole, state);
  // After such a failure, the size that fits is not known: nothing was accepted.
  const isTooLong = error?.code === "context_too_long";
  // True however the run has ended: it may have been stopped, or have used up its time, right after the refusal.
  const isRefused = checkpoint.steps.at(-1)?.stopReason === "refusal";
  const { toldBefore } = state ?? {};
  // What was left out for this turn was left out in vain. If the turn were kept, it would push out everything before it once more.
  const isInVain =
    isTooLong &&
    checkpoint.steps.length === 0 &&
    toldBefore?.cut !== undefined &&
    JSON.stringify(toldBefore.cut) !== JSON.stringify(state?.facts.cut);
  const isLeftOut = isRefused || isInVain;
  const isStale = checkpoint.steps.length <= (state?.staleSteps ?? 0);
  // A refused turn is not sent again, so its count says nothing. With 0, the size of the next turn is estimated.
  const counted = lastUsage === undefined || isStale ? state?.facts.inputTokens : tokensOf(lastUsage);
  const inputTokens = isRefused ? 0 : counted;
  const turn = { runId, model, messages: repairTurn(sent) };
  const kept = fitting(turn);
  // The earlier cut counts messages that may be gone now.
  const cut =
    state && kept !== turn && !isLeftOut ? { ...state.facts.cut, resultsBefore: null, stepsFrom: null } : undefined;
  return {
    turn: turnRows(kept),
    omitted: isLeftOut ? omittedLine(effectsOf(checkpoint), isInVain ? "it was too long" : undefined) : undefined,
    facts:
      state &&
      JSON.stringify({
        ...state.facts,
        ...(isLeftOut && toldBefore),
        ...(isTooLong ? { maxBytes: null } : {}),
        ...(cut && { cut, dropsBlocks: true }),
        inputTokens,
      }),
  };
};

/**
 * Most of a turn that is kept, in UTF-16 units: no window of today holds more, and the next turn loads it with others before it. It also
 * fits into a call to the session, which takes 32 MiB.
 */
const MAX_KEPT_LENGTH = MAX_LOADED_LENGTH / 2;

/** The turn, at most `MAX_KEPT_LENGTH` long. What is too much is left out as in a request: results first, then steps, oldest first. */
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
      if (state.type !== "ended" || kind === "read") return [];
      const { status } = state.result;
      // An edit that fails changes nothing. A command that fails has often done half of its work.
      const hasEffect = status === "completed" || status === "unknown" || (status === "failed" && kind === "execute");
      return hasEffect ? [{ tool, title, status }] : [];
    });

/** The result of a call that had none when the run ended. */
const NO_RESULT = "Not run: the turn ended before this call.";

/**
 * The turn with every `tool_use` answered, in order, in the very next message, and without empty blocks and messages.
 * Thinking at the end of the turn is dropped: the API does not accept a message that ends with it, and nothing was built on
 * it. What is valid stays as it is.
 */
export const repairTurn = (messages: readonly Message[]): Message[] => {
  const kept = withoutLastThoughts(
    messages.map((message) => ({ ...message, content: message.content.filter(isFilled) })),
  );
  return kept.flatMap((message, index): Message[] => {
    if (message.role === "user") return index > 0 && message.content.some(isResult) ? [] : [message];
    const wanted = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    if (wanted.length === 0) return [message];
    const next = kept[index + 1];
    const given = next?.role === "user" ? next.content : [];
    const results = wanted.map((id) => given.find(isResultOf(id)) ?? noResult(id));
    // A note of ours can follow the results of a step.
    const notes = given.some(isResult) ? given.filter((block) => !isResult(block)) : [];
    return [message, { role: "user", content: [...results, ...notes] }];
  });
};

/** Drops empty messages, and thinking that nothing follows. */
const withoutLastThoughts = (messages: readonly Message[]): Message[] => {
  const filled = messages.filter(({ content }) => content.length > 0);
  const last = filled.at(-1);
  if (last?.role !== "assistant") return filled;
  const end = last.content.findLastIndex((block) => !isThinking(block)) + 1;
  if (end === last.content.length) return filled;
  const before = filled.slice(0, -1);
  return end === 0 ? withoutLastThoughts(before) : [...before, { ...last, content: last.content.slice(0, end) }];
};

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

const isResultOf =
  (id: string) =>
  (block: ContentBlock): block is ToolResultBlock =>
    block.type === "tool_result" && block.tool_use_id === id;

const noResult = (id: string): ToolResultBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: NO_RESULT,
  is_error: true,
});

const isFilled = (block: ContentBlock): boolean => block.type !== "text" || block.text.trim() !== "";
