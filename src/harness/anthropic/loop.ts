/** The harness loop: model and tools alternate until the model stops. It knows no HTTP, no D1 and no Durable Object. */
import type { RunError, TerminalStatus, Usage } from "../../contract/run.ts";
import type { ContentBlock, Message } from "../../model/messages.ts";
import { awaitPreparation } from "../await-effect.ts";
import type { BudgetStop } from "../budget.ts";
import { type SettleDeps, settleCalls } from "../settle-calls.ts";
import { MAX_STEPS, type ToolCall, type TurnOutcome } from "../turn.ts";
import { type AnsweredMessage, callModel, type ModelCallDeps, type RequestSource } from "./call-model.ts";
import { CUTS_CALLS } from "./message-builder.ts";
import { withSaid } from "./said-meanwhile.ts";
import { toolResultMessage } from "./tool-results.ts";
import type { Answer, TurnProgress } from "./turn-progress.ts";

/** Most `pause_turn` answers in a row. Each asks to be sent back unchanged. */
const MAX_PAUSES = 5;

/** What is done before a step so that its request fits. It may ask for a summary, which costs money. */
type Preparation = {
  prepare(
    current: readonly Message[],
    lastUsage: Usage | undefined,
    signal: AbortSignal,
  ): Promise<BudgetStop | undefined>;
};

/** The loop's world. */
export type TurnDeps = ModelCallDeps &
  SettleDeps & {
    readonly requests: RequestSource & Preparation;
  };

/**
 * Runs a turn from where `progress` left off until the model stops, a person is asked, or `signal` aborts. Everything it did
 * is in the journal when it returns. Never throws for model or tool failures; a journal's `Superseded` passes through.
 */
export const runTurn = async (progress: TurnProgress, deps: TurnDeps, signal: AbortSignal): Promise<TurnOutcome> => {
  let { messages, steps, answer, lastUsage } = progress;
  let pauses = 0;
  for (;;) {
    let end: TurnOutcome | undefined;
    let isPaused = false;
    if (answer !== undefined && answer.calls.length > 0) {
      const settled = await settleCalls(answer.calls, deps, signal);
      if (settled === "waiting") return { type: "waiting" };
      messages = [...messages, toolResultMessage(settled)];
      pauses = 0;
    } else if (answer?.stopReason === "pause_turn" && pauses < MAX_PAUSES) {
      pauses += 1;
      isPaused = true;
    } else if (answer !== undefined) {
      end = outcomeOf(answer.stopReason);
    }
    if (signal.aborted) return ABORTED;
    if (end !== undefined && !goesOnWhenTold(end, messages)) return end;
    // Checked before the step is prepared, because a summary costs money too.
    const limit = steps >= MAX_STEPS ? OUT_OF_STEPS : deps.budget?.isDayUsedUp?.() ? OVER_BUDGET : undefined;
    if (limit !== undefined) return end ?? limit;
    // A paused answer has to be sent back unchanged.
    const said = isPaused ? [] : await deps.journal.takeMessages(steps);
    if (end !== undefined && said.length === 0) return end;
    messages = withSaid(messages, said);

    const stop = await awaitPreparation(deps.requests.prepare(messages, lastUsage, signal), signal);
    if (signal.aborted || stop === "unknown") return ABORTED;
    if (stop !== undefined) return await stopFor(stop, deps);
    const result = await callModel(steps + 1, messages, deps, signal);
    if (result.type === "aborted") return ABORTED;
    if (result.type === "over_budget") return await stopFor(result.stop, deps);
    if (result.type === "failed") return ended("failed", "error", result.error);
    steps += 1;
    messages = [...messages, { role: "assistant", content: result.message.content }];
    lastUsage = result.message.usage;
    answer = { stopReason: result.message.stopReason, calls: callsOf(result.message, deps) };
    await deps.journal.closeMessage(result.message, answer.calls);
  }
};

/** Asks a person for more budget, or ends the turn when one has refused. */
const stopFor = async (stop: BudgetStop, { journal }: TurnDeps): Promise<TurnOutcome> => {
  if (stop.type === "refused") return OVER_BUDGET;
  await journal.ask(stop.call, stop.ask);
  return { type: "waiting" };
};

/** The outcome of a turn that the model itself stopped. */
const outcomeOf = (stopReason: string): TurnOutcome => {
  switch (stopReason) {
    case "aborted":
      return ABORTED;
    case "error":
      return ended("failed", "error", { code: "model_unavailable", message: "The model's answer was cut off." });
    case "max_tokens":
    case "model_context_window_exceeded":
    case "pause_turn":
      return ended("incomplete", stopReason);
    default:
      return ended("completed", stopReason);
  }
};

/** Whether a turn that the model has ended is taken up again when the person has said something meanwhile. */
const goesOnWhenTold = (end: TurnOutcome, messages: readonly Message[]): boolean => {
  // The API wants something said at the end of an answer that another message follows.
  const hasSpoken = messages.at(-1)?.content.at(-1)?.type === "text";
  return end.type === "ended" && end.status === "completed" && end.stopReason !== "refusal" && hasSpoken;
};

/** The calls a message asks for. A message cut for its length is not acted on: the model had more to say. */
const callsOf = (message: AnsweredMessage, deps: TurnDeps): Answer["calls"] =>
  CUTS_CALLS.has(message.stopReason)
    ? []
    : message.content.filter(isToolUse).map((block, index): ToolCall => {
        const tool = deps.tools.get(block.name);
        const prepared = tool?.prepare(block.input);
        return {
          toolCallId: `${message.step}-${index}`,
          toolUseId: block.id,
          messageId: message.messageId,
          tool: block.name,
          // An unknown name is shown as the most powerful kind of tool.
          kind: tool?.kind ?? "execute",
          title: prepared === undefined || "problem" in prepared ? block.name : prepared.title,
          input: block.input,
          state: { type: "pending" },
        };
      });

const isToolUse = (block: ContentBlock): block is Extract<ContentBlock, { type: "tool_use" }> =>
  block.type === "tool_use";

const ended = (status: TerminalStatus, stopReason: string, error: RunError | null = null): TurnOutcome => ({
  type: "ended",
  status,
  stopReason,
  error,
});

const ABORTED = ended("aborted", "aborted");
const OVER_BUDGET = ended("incomplete", "budget");
const OUT_OF_STEPS = ended("incomplete", "max_steps");
