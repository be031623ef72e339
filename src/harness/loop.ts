/** The harness loop: model and tools alternate until the model stops. It knows no HTTP, no D1 and no Durable Object. */
import type { RunError, TerminalStatus, Usage } from "../contract/run.ts";
import type { ContentBlock, Message } from "../model/messages.ts";
import type { BudgetStop } from "./budget.ts";
import { callModel, type ModelCallDeps, type RequestSource } from "./call-model.ts";
import { CUTS_CALLS } from "./message-builder.ts";
import { type SettleDeps, settleCalls } from "./settle-calls.ts";
import { toolResultMessage } from "./tool-results.ts";
import type { Answer, ClosedMessage, ToolCall, TurnOutcome, TurnProgress } from "./turn.ts";
import { untilAborted } from "./until-aborted.ts";

/** Most model calls of one turn: a model that has not finished by then goes round in circles. */
const MAX_STEPS = 100;

/** Most `pause_turn` answers in a row; each asks to be sent back as it is. */
const MAX_PAUSES = 5;

/** What is done before a step, so that its request fits. A summary is paid for: it may have to be asked for. */
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
 * Runs a turn from where `progress` stands until the model stops, a person is asked, or `signal` aborts. Everything it
 * does is in the journal when it returns. Never throws for model or tool failures; a journal's `Superseded` passes.
 */
export const runTurn = async (progress: TurnProgress, deps: TurnDeps, signal: AbortSignal): Promise<TurnOutcome> => {
  let { messages, steps, answer, lastUsage } = progress;
  let pauses = 0;
  for (;;) {
    if (answer !== undefined && answer.calls.length > 0) {
      const settled = await settleCalls(answer.calls, deps, signal);
      if (settled === "waiting") return { type: "waiting" };
      messages = [...messages, toolResultMessage(settled)];
      pauses = 0;
    } else if (answer?.stopReason === "pause_turn" && pauses < MAX_PAUSES) {
      pauses += 1;
    } else if (answer !== undefined) {
      return signal.aborted ? ABORTED : outcomeOf(answer.stopReason);
    }
    if (signal.aborted) return ABORTED;
    if (steps >= MAX_STEPS) return ended("incomplete", "max_steps");
    // Before the step is prepared: a summary is paid for as well.
    if (deps.budget?.isGone?.()) return OVER_BUDGET;

    const stop = await untilAborted(signal, deps.requests.prepare(messages, lastUsage, signal));
    if (signal.aborted || stop === "aborted") return ABORTED;
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

/** Asks a person for more, or ends where one has said no. */
const stopFor = async (stop: BudgetStop, { journal }: TurnDeps): Promise<TurnOutcome> => {
  if (stop.type === "refused") return OVER_BUDGET;
  await journal.ask(stop.call, stop.ask);
  return { type: "waiting" };
};

/** How a turn ends that the model itself stopped. */
const outcomeOf = (stopReason: string): TurnOutcome => {
  switch (stopReason) {
    case "aborted":
      return ABORTED;
    case "error":
      return ended("failed", "error", { code: "model_unavailable", message: "The model's answer broke off." });
    case "max_tokens":
    case "model_context_window_exceeded":
    case "pause_turn":
      return ended("incomplete", stopReason);
    default:
      return ended("completed", stopReason);
  }
};

/** The calls a message asks for. One that was cut for its length is not acted on: the model had more to say. */
const callsOf = (message: ClosedMessage, deps: TurnDeps): Answer["calls"] =>
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
          // A name nobody knows is shown as the most that a tool can do.
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
