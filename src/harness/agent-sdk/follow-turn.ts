/** Follows one turn of the host to its end, and says what that means for the run. */
import { log } from "../../contract/log.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { TurnWorld } from "../adapter.ts";
import type { SettleDeps } from "../settle-calls.ts";
import type { TurnOutcome } from "../turn.ts";
import type { AgentHost } from "./agent-host.ts";
import type { Asked } from "./answer-question.ts";
import type { HostTurn } from "./host-turn.ts";
import type { LastCalls } from "./last-calls.ts";
import { failureOf } from "./sdk-failure.ts";
import { isOverBudget, isPlaceLost, modelStop, type SdkResult } from "./sdk-message.ts";
import { type SdkTurnState, settledState } from "./sdk-turn-state.ts";
import { settleOpen } from "./settle-open.ts";
import { ABORTED, ended, failed, OUT_OF_STEPS, outcomeOf } from "./turn-outcome.ts";

const LOST = "The agent's process ended before its answer was complete. The terminal of its workspace server says why.";

const USED_ID = "The model gave two calls the same id.";

/** What a turn of the run works with. */
export type Parts = {
  readonly world: TurnWorld;
  readonly host: AgentHost;
  readonly calls: LastCalls;
  readonly deps: SettleDeps;
  readonly prompt: string;
};

/** A stretch that was cut off because its host was lost. `turn` is there if the host had begun it. */
export type Lost = { readonly message: string; readonly state: SdkTurnState; readonly turn?: HostTurn };

/**
 * Follows the turn that `state` names. `place_is_lost`: the session no longer has the message to go back to. `over_budget`: the turn
 * stopped because of the budget it was given.
 */
export const followTurn = async (
  parts: Parts,
  state: SdkTurnState,
  turn: HostTurn,
  signal: AbortSignal,
): Promise<{ readonly outcome: TurnOutcome } | Lost | "place_is_lost" | "over_budget"> => {
  const { world, host, calls, deps } = parts;
  const { steps } = calls;
  const settle = () => settleOpen(calls, undefined, { host, deps }, signal);
  const end = await turn.run(signal).catch((error: unknown) => {
    if (error instanceof WorkspaceError || signal.aborted)
      return String(error instanceof Error ? error.message : error);
    throw error;
  });
  if (signal.aborted) {
    if (state.hostTurnId !== undefined) await stopped(host, state.hostTurnId, true);
    if (turn.open !== undefined) await calls.closeMessage(turn.open.closed("aborted"), []);
    await settle();
    return { outcome: ABORTED };
  }
  if (turn.cut !== undefined) {
    // Closed before the host is asked for anything: whatever comes of that request, the turn is over.
    if (turn.open !== undefined) await calls.closeMessage(turn.open.closed("error"), []);
    if (state.hostTurnId !== undefined) await stopped(host, state.hostTurnId, true);
    if ((await settle()) === "waiting") return { outcome: { type: "waiting" } };
    return { outcome: turn.cut === "used_id" ? failed("model_unavailable", USED_ID) : OUT_OF_STEPS };
  }
  if (typeof end === "string") return { message: end, state, ...(turn.hasStarted ? { turn } : {}) };
  const { result, asked, trouble } = end;
  // From now on the SDK goes on from where the person went back to: it has ended a turn there, even if with an error.
  const isSettled = result !== undefined && (!result.is_error || calls.steps > steps);
  const after = isSettled && state.facts.goneBackTo !== undefined ? settledState(state) : state;
  // Saved whatever comes next.
  if (after !== state) await world.keeper.save(after);
  if (result !== undefined && isOverBudget(result)) {
    // If a call of one of the SDK's own tools waits for permission, the model makes that call again after the question about the budget.
    // For a call of one of our tools, the person is asked now.
    return (await settle()) === "waiting" ? { outcome: { type: "waiting" } } : "over_budget";
  }
  if (asked !== undefined) return { outcome: await ask(parts, after, asked, result) };
  if (result === undefined) return { message: LOST, state, turn };
  const stop = modelStop(result, calls.finalStop);
  if (result.is_error && stop === undefined) {
    if (after.facts.goneBackTo !== undefined && isPlaceLost(result)) return "place_is_lost";
    if (turn.open !== undefined) await calls.closeMessage(turn.open.closed("error"), []);
    return { outcome: ended("failed", "error", failureOf(trouble, result)) };
  }
  if ((await settle()) === "waiting") return { outcome: { type: "waiting" } };
  return { outcome: outcomeOf(stop ?? result.stop_reason ?? "end_turn") };
};

/** Asks a person, now that nothing runs any more. */
const ask = async (
  { world }: Parts,
  state: SdkTurnState,
  asked: Asked,
  result: SdkResult | undefined,
): Promise<TurnOutcome> => {
  const isDeferred = result?.stop_reason === "tool_deferred";
  const { hostTurnId: _, ...rest } = state;
  const { call } = asked;
  await world.keeper.save({ ...rest, ...(isDeferred ? { deferred: call.toolUseId } : {}) });
  if ("questions" in asked) await world.journal.askQuestions(call, asked.questions);
  else await world.journal.ask(call, asked.ask);
  return { type: "waiting" };
};

/**
 * Stops a turn on the host. If the turn is over anyway (`isOver`), it is no error that the host does not answer: the host ends what it runs
 * when its caller leaves.
 */
export const stopped = async (host: AgentHost, turnId: string, isOver: boolean): Promise<void> => {
  try {
    await host.stop(turnId);
  } catch (error) {
    if (!isOver || !(error instanceof WorkspaceError)) throw error;
    log.warn("A turn could not be stopped.", { error: error.message });
  }
};
