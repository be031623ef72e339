/** How the next turn of the host begins: with the prompt, with an answer, or with the call that was waiting. */
import type { TurnWorld } from "../adapter.ts";
import type { ToolCall } from "../turn.ts";
import { instructionsText } from "../turn-context.ts";
import type { AgentHost } from "./agent-host.ts";
import { restoreSession } from "./copy-session.ts";
import type { TurnCall } from "./host-wire.ts";
import type { LastCalls } from "./last-calls.ts";
import type { SdkTurnState } from "./sdk-turn-state.ts";

/** What it depends on. */
type BeginWorld = {
  readonly world: TurnWorld;
  readonly host: AgentHost;
  readonly calls: LastCalls;
  readonly prompt: string;
};

/** The beginning, and the state that goes with it. A session whose file is gone begins again, and the transcript says so. */
export const beginOf = async (
  { world, host, calls, prompt }: BeginWorld,
  state: SdkTurnState,
  deferred: ToolCall | undefined,
): Promise<{ readonly begin: TurnCall["begin"]; readonly state: SdkTurnState }> => {
  const whole = [state.context, prompt].filter((part) => part !== "").join("\n\n");
  const wasSaid = state.isBegun || state.facts.hasSession;
  if (!wasSaid) return { begin: { type: "new", prompt: whole }, state };
  const { sessionId } = state.facts;
  const { size } = await host.readSession(sessionId, Number.MAX_SAFE_INTEGER);
  // A file that is shorter than its copy was lost, and perhaps put back in part.
  const isWhole = size > 0 && size >= (await world.sessionCopy.size());
  if (isWhole || (await restoreSession(sessionId, host, world.sessionCopy))) {
    if (deferred !== undefined) return { begin: { type: "deferred" }, state };
    return { begin: { type: "message", prompt: state.isBegun ? goingOn(calls) : whole }, state };
  }
  // A turn that died before the SDK had written anything has lost nothing.
  if (!state.facts.hasSession && calls.steps === 0) return { begin: { type: "new", prompt: whole }, state };
  await world.keeper.startEpoch([], FILE_IS_LOST, state);
  const instructions = await world.readInstructions();
  const given = typeof instructions === "string" ? [] : [instructionsText(instructions)];
  const again = state.isBegun && calls.steps > 0 ? [goingOn(calls)] : [];
  return {
    begin: { type: "new", prompt: [...given, whole, ...again].join("\n\n") },
    state: { ...state, facts: { ...state.facts, hasSession: false } },
  };
};

const FILE_IS_LOST = "The agent's session file is gone, so it starts without the earlier conversation.";

/** What the model is told when its turn goes on with a message: what became of its newest calls. */
const goingOn = (calls: LastCalls): string =>
  calls.all.length === 0
    ? "The work was interrupted. Go on with what the person asked for."
    : [
        "The app goes on with your turn. This is what became of your newest calls:",
        ...calls.all.flatMap(({ tool, toolUseId, state }) =>
          state.type === "ended" ? [`${tool} (${toolUseId}), ${state.result.status}: ${state.result.output}`] : [],
        ),
      ].join("\n\n");
