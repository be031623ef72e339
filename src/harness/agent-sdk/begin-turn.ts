/** How the next turn of the host begins: with the prompt, with an answer, or with the call that was waiting. */
import type { SessionCopy, TurnWorld } from "../adapter.ts";
import { cutOutputs, fence } from "../model-text.ts";
import type { ToolCall } from "../turn.ts";
import { EARLIER_IS_GONE, instructionsText } from "../turn-context.ts";
import type { AgentHost } from "./agent-host.ts";
import { goesOnFrom, isCopied, restoreSession } from "./copy-session.ts";
import type { TurnCall } from "./host-wire.ts";
import type { LastCalls } from "./last-calls.ts";
import { NO_PLACE, type SdkTurnState, settledFacts, settledState } from "./sdk-turn-state.ts";
import { isInBranchSince, saidSince, sizeOf } from "./session-lines.ts";

/** What the beginning of a turn depends on. */
type BeginWorld = {
  readonly world: TurnWorld;
  readonly host: AgentHost;
  readonly calls: LastCalls;
  readonly prompt: string;
  /** Ends the call that waited, if the session cannot go on with that call. */
  readonly settle: () => Promise<unknown>;
};

/** A session's file that is longer than this contains a prompt: before the first prompt, the SDK notes only some hundred bytes. */
const MAX_NOTES_BYTES = 16_384;

type Begun = { readonly begin: TurnCall["begin"]; readonly state: SdkTurnState };

/** How the turn begins, and the state to save for that. A session whose file is gone begins again, and the transcript says so. */
export const beginOf = async (
  { world, host, calls, prompt, settle }: BeginWorld,
  state: SdkTurnState,
  deferred: ToolCall | undefined,
): Promise<Begun> => {
  const whole = joined([state.context, prompt]);
  const { sessionId, goneBackTo, hasSession, isTried = false } = state.facts;
  const mayHaveFile = hasSession || isTried;
  const hasNoPlace = goneBackTo === NO_PLACE;
  if ((goneBackTo === null || hasNoPlace) && !state.isBegun && mayHaveFile) {
    await startOver(sessionId, host, world.sessionCopy);
    if (hasNoPlace) await world.keeper.startEpoch([], PLACE_IS_LOST, state);
    const next = hasNoPlace ? withoutEarlier(state, []) : withoutSession(state);
    return { begin: { type: "new", prompt: joined([next.context, prompt]) }, state: next };
  }
  const fresh = (): Begun => ({ begin: { type: "new", prompt: whole }, state: { ...state, begunAt: 0 } });
  if (!state.isBegun && !mayHaveFile) return fresh();
  const found = await sizeOf(sessionId, host);
  const copied = await world.sessionCopy.size();
  // A file that is shorter than its copy was lost, and perhaps put back in part.
  const isWhole =
    found > 0 && (found > copied ? await goesOnFrom(world.sessionCopy, sessionId, host) : found === copied);
  // The call is settled before the copy is put back. If this attempt dies in between, the next one must not mistake a restored file without
  // the call for a whole one.
  const isKept = deferred !== undefined && (isWhole || (await isCopied(deferred.toolUseId, world.sessionCopy)));
  if (!isKept) await settle();
  const became = state.isBegun && calls.steps > 0 ? goingOn(calls) : "";
  const all = joined([whole, became]);
  if (isWhole || (await restoreSession(sessionId, host, world.sessionCopy))) {
    if (isKept) return { begin: { type: "deferred" }, state };
    // Even if the SDK has answered in this turn: since the turn never ended, the SDK is still in the branch that was replaced.
    if (goneBackTo) {
      const { triedAt } = state.facts;
      const begun = { ...state, begunAt: isWhole ? found : await sizeOf(sessionId, host) };
      // An earlier turn was answered there and cut off. If the SDK has noted that it goes on there, what that turn did is kept.
      const isThere = !state.isBegun && triedAt !== undefined && (await isInBranchSince(triedAt, sessionId, host));
      return isThere
        ? { begin: { type: "message", prompt: all }, state: settledState(begun) }
        : { begin: { type: "behind", prompt: all, message: goneBackTo }, state: begun };
    }
    // A copy may be older than the prompt.
    const isPast = isWhole && calls.steps > 0 && found > (state.begunAt ?? 0);
    if (state.isBegun && (isPast || (await isTold(whole, state, host)))) {
      return { begin: { type: "message", prompt: goingOn(calls) }, state };
    }
    const size = isWhole ? found : await sizeOf(sessionId, host);
    // Looked up whatever the facts say: earlier releases set `hasSession` for every session that was begun.
    if (size > MAX_NOTES_BYTES || (await saidSince(0, sessionId, host)).length > 0) {
      return { begin: { type: "message", prompt: all }, state: { ...state, begunAt: size } };
    }
    // The SDK died before it wrote down anything to go on with.
    await startOver(sessionId, host, world.sessionCopy);
    const given = hasSession ? await instructionsAgain(world) : [];
    return { begin: { type: "new", prompt: [...given, all].join("\n\n") }, state: withoutSession(state) };
  }
  // A turn that died before the SDK had written anything has lost nothing.
  if (!hasSession && calls.steps === 0) return fresh();
  await world.keeper.startEpoch([], typeof goneBackTo === "string" ? PLACE_IS_LOST : FILE_IS_LOST, state);
  const next = withoutEarlier(state, await instructionsAgain(world));
  return { begin: { type: "new", prompt: joined([next.context, prompt, became]) }, state: next };
};

/** The parts that say something, with an empty line between them. */
const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

const instructionsAgain = async (world: BeginWorld["world"]): Promise<string[]> => {
  const instructions = await world.readInstructions();
  return typeof instructions === "string" ? [] : [instructionsText(instructions)];
};

const withoutSession = (state: SdkTurnState): SdkTurnState => ({
  ...state,
  facts: { ...settledFacts(state.facts), hasSession: false },
  begunAt: 0,
});

/**
 * The same, with what the model has to be told, as part of the turn's context: the turn may have to begin once more before the SDK has
 * written anything down.
 */
const withoutEarlier = (state: SdkTurnState, given: readonly string[]): SdkTurnState => ({
  ...withoutSession(state),
  context: state.context.startsWith(EARLIER_IS_GONE)
    ? state.context
    : joined([EARLIER_IS_GONE, ...given, state.context]),
});

/** Deletes the session's file and its copy, so that its id can begin again. Repeating it is harmless. */
export const startOver = async (sessionId: string, host: AgentHost, copy: SessionCopy): Promise<void> => {
  await copy.add(0, new ArrayBuffer(0));
  await host.deleteSessions([sessionId]);
};

/** Whether the SDK wrote down the prompt before its turn died. */
const isTold = async (prompt: string, { begunAt, facts }: SdkTurnState, host: AgentHost): Promise<boolean> => {
  // A turn of an earlier release, which did not keep `begunAt`.
  if (begunAt === undefined) return true;
  const said = JSON.stringify(prompt).slice(1, -1);
  return (await saidSince(begunAt, facts.sessionId, host)).some((line) => line.includes(said));
};

const FILE_IS_LOST = "The agent's session file is gone, so it starts without the earlier conversation.";
const PLACE_IS_LOST =
  "The agent's session does not have the place you went back to, so it starts without the earlier conversation.";

/**
 * How much of the calls' outputs is repeated at most, in UTF-8 bytes: as JSON, and with the longest prompt, it fits the host's 1 MiB for a
 * call.
 */
const MAX_RETOLD_BYTES = 128_000;

/**
 * What the model is told when its turn goes on with a message: what became of its newest calls. Outputs are what a file, a program or the
 * model itself wrote, and must not pass for the person's words, for the app's, or for the result of another call.
 */
const goingOn = ({ all }: LastCalls): string => {
  if (all.length === 0) return "The work was interrupted. Go on with what the person asked for.";
  const ends = all.flatMap((call) => (call.state.type === "ended" ? [{ ...call, ...call.state.result }] : []));
  const outputs = cutOutputs(
    ends.map(({ output }) => fence(output)),
    MAX_RETOLD_BYTES,
  );
  return joined([
    "The app goes on with your turn. This is what became of your newest calls:",
    ...ends.map(
      ({ tool, toolUseId, status }, index) => `${tool} (${toolUseId}), ${status}: <data>${outputs[index] ?? ""}</data>`,
    ),
  ]);
};
