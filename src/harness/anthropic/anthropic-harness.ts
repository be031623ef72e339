/** The built-in harness adapter: our own loop over the Messages API. */
import { pause } from "../../contract/within.ts";
import type { HarnessAdapter, ResumedThread, Toolset, TurnWorld } from "../adapter.ts";
import type { Tool } from "../tools/tool.ts";
import { ANTHROPIC_TRAITS } from "../traits.ts";
import { compactByHand } from "./compaction.ts";
import { isResumed, type ResumeState, TurnState } from "./conversation.ts";
import { afterEvent, conversationKeeper } from "./conversation-keeper.ts";
import { keepTurn } from "./keep-turn.ts";
import { runTurn, type TurnDeps } from "./loop.ts";
import { openTurn, stateWithoutContext } from "./open-turn.ts";
import { type RequestPrefix, requestPrefix } from "./request-prefix.ts";
import { hasEnough, resumeStateOf, saidTurns } from "./stored-turns.ts";
import { askTitle } from "./titles/ask-title.ts";
import { progressOf } from "./turn-progress.ts";
import { TurnRequests } from "./turn-requests.ts";

/** Our own loop as a harness. */
export const anthropicHarness: HarnessAdapter = {
  ...ANTHROPIC_TRAITS,
  hasEnough,
  resume: (stored) => resumedThread(resumeStateOf(stored)),
  afterEvent: (state, event, steps) => afterEvent(TurnState.parse(state), event, steps),
  keepTurn,
  askTitle,
};

const resumedThread = (resumeState: ResumeState): ResumedThread => ({
  isResumed: isResumed(resumeState),
  lastModel: resumeState.turns.at(-1)?.model,
  openTurn: async ({ model, tools, ...opening }) => {
    const { hash: prefixHash } = await requestPrefix(inOrder(tools));
    return openTurn({ ...opening, resumeState, binding: { model, prefixHash } });
  },
  stateWithoutOpening: () => stateWithoutContext(resumeState),
  runTurn: async (world, checkpoint, signal) => {
    const tools = inOrder(world.tools);
    const deps = turnDeps(world, { resumeState, tools, prefix: await requestPrefix(tools) });
    return await runTurn(progressOf(checkpoint), deps, signal);
  },
  compact: async (model, tools) => await compactByHand(resumeState, model, await requestPrefix(inOrder(tools))),
  saidTurns: () => saidTurns(resumeState),
});

/** The tools in the order in which every request lists them. */
const inOrder = ({ app, workspace, person }: Toolset): readonly Tool[] => [...app, ...workspace, ...person];

/** What all requests of a turn are made with. */
type Conversation = {
  readonly resumeState: ResumeState;
  readonly tools: readonly Tool[];
  readonly prefix: RequestPrefix;
};

const turnDeps = (world: TurnWorld, { resumeState, tools, prefix }: Conversation): TurnDeps => ({
  model: world.model,
  journal: world.journal,
  gate: world.gate,
  budget: world.budget,
  tools: new Map(tools.map((tool) => [tool.name, tool])),
  callKey: world.callKey,
  isSubjectCut: world.isSubjectCut,
  newId: world.newId,
  random: Math.random,
  wait: pause,
  requests: new TurnRequests({
    runId: world.runId,
    model: world.model,
    effort: world.effort,
    prefix,
    resumeState,
    state: TurnState.parse(world.state),
    keeper: conversationKeeper(world.keeper),
    readInstructions: world.readInstructions,
    budget: world.budget,
    countDropped: async (usage, step) => {
      const messageId = world.newId();
      await world.journal.openMessage({ messageId, step }, usage);
      await world.journal.discardMessage(messageId, usage);
    },
  }),
});
