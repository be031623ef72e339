/** The adapter of the vendor's agent SDK, which runs on a person's own machine, on their own login. */
import type { HarnessAdapter, OpenedTurn, TurnOpening } from "../adapter.ts";
import type { StoredConversation } from "../stored-conversation.ts";
import { AGENT_SDK_TRAITS } from "../traits.ts";
import { turnContext } from "../turn-context.ts";
import { toldUpToMs, undoneTexts } from "../undone.ts";
import { runTurn } from "./run-turn.ts";
import {
  branchFacts,
  hostSession,
  keepTurn,
  newFacts,
  resumedFacts,
  type SdkFacts,
  type SdkTurnState,
  saidTurns,
} from "./sdk-turn-state.ts";

/** The SDK as a harness. */
export const agentSdkHarness: HarnessAdapter = {
  ...AGENT_SDK_TRAITS,
  branchFacts,
  resume: (stored) => resumedThread(stored),
  // The session keeps its id: if its file is gone, a new epoch begins it again under that id.
  afterEvent: (state) => state,
  keepTurn,
  hostSession,
};

const resumedThread = (stored: StoredConversation): ReturnType<HarnessAdapter["resume"]> => {
  const facts = resumedFacts(stored);
  const said = saidTurns(stored);
  return {
    isResumed: facts?.hasSession === true && facts.goneBackTo !== null,
    lastModel: stored.rows.at(-1)?.model,
    openTurn: async (opening) => openTurn(opening, facts ?? newFacts()),
    stateWithoutOpening: (): SdkTurnState => ({ facts: facts ?? newFacts(), context: "", isBegun: false }),
    runTurn,
    saidTurns: () => said,
  };
};

const openTurn = (opening: TurnOpening, facts: SdkFacts): OpenedTurn & { readonly state: SdkTurnState } => {
  const { instructions, workspaceDir } = opening;
  const left = facts.movedFrom ?? opening.previousWorkspaceDir;
  const previousWorkspaceDir = left === workspaceDir ? undefined : left;
  const found = typeof instructions === "string" ? undefined : instructions;
  const isNew = found !== undefined && found.hash !== facts.instructionsHash;
  const areGone = instructions === "none" && facts.instructionsHash !== null;
  const undone = undoneTexts(opening.undone, facts.undoneUpToMs);
  const given = areGone ? "gone" : isNew ? found : undefined;
  const context = turnContext({ ...opening, previousWorkspaceDir, instructions: given, undone });
  const undoneUpToMs = toldUpToMs(opening.undone, facts.undoneUpToMs);
  const instructionsHash = areGone ? null : (found?.hash ?? facts.instructionsHash);
  const hasMoved = previousWorkspaceDir !== undefined && facts.hasSession;
  return {
    state: {
      facts: { ...facts, movedFrom: left ?? workspaceDir, instructionsHash, undoneUpToMs },
      ...{ workspaceDir, context, isBegun: false },
    },
    previousWorkspaceDir,
    events: [
      ...(hasMoved ? [{ type: "context_added", source: "workspace", path: workspaceDir } as const] : []),
      ...(isNew ? [{ type: "context_added", source: "instructions", path: found.path } as const] : []),
      ...(undone.length > 0 ? [{ type: "context_added", source: "undo" } as const] : []),
    ],
  };
};
