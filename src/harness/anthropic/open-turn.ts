/** Opens a turn: builds the context that precedes its prompt, and reports the parts of it that matter to a person. */
import type { Message } from "../../model/messages.ts";
import type { OpenedTurn, TurnOpening } from "../adapter.ts";
import { INSTRUCTIONS_TAG, instructionsText, turnContext } from "../turn-context.ts";
import { toldUpToMs, undoneTexts } from "../undone.ts";
import { isResumed, type ResumeState, saysOurselves, type TurnState } from "./conversation.ts";
import { type Binding, rebind } from "./rebind.ts";

/** Whether the app gives the project's instructions in this message. */
export const holdsInstructions = (message: Message): boolean => saysOurselves(message, INSTRUCTIONS_TAG);

/** What a turn of a conversation is opened with. */
export type ConversationOpening = Omit<TurnOpening, "model" | "tools"> & {
  readonly resumeState: ResumeState;
  readonly binding: Binding;
};

/** The state a turn begins with, and the events that report what the model is given. */
export const openTurn = (opening: ConversationOpening): OpenedTurn & { readonly state: TurnState } => {
  const { resumeState, binding, instructions, workspaceDir } = opening;
  const { movedFrom, effort: _, noSummaryAt = 0, ...facts } = rebind(resumeState.facts, resumeState, false, binding);
  const left = movedFrom ?? opening.previousWorkspaceDir;
  const previousWorkspaceDir = left === workspaceDir ? undefined : left;
  const found = instructions === "none" || instructions === "unknown" ? undefined : instructions;
  const isNew = found !== undefined && found.hash !== facts.instructionsHash;
  const areGone = instructions === "none" && facts.instructionsHash !== null;
  // Instructions from a turn that is now summarized or left out are given again.
  const isKnown = found !== undefined && !isNew && isSaid(instructionsText(found), resumeState);
  // After going back, what is still said in an earlier turn is not said again.
  const undone = undoneTexts(opening.undone, facts.undoneUpToMs).filter((text) => !isSaid(text, resumeState));
  const context = turnContext({
    ...{ ...opening, previousWorkspaceDir, undone },
    instructions: areGone ? "gone" : isKnown ? undefined : found,
  });
  const undoneUpToMs = toldUpToMs(opening.undone, facts.undoneUpToMs);
  const instructionsHash = areGone ? null : (found?.hash ?? facts.instructionsHash);
  // What another model found too long, or did not summarize, says nothing about this one.
  const isSameModel = resumeState.turns.at(-1)?.model === binding.model;
  const maxBytes = isSameModel ? facts.maxBytes : null;
  const toldBefore = {
    ...{ instructionsHash: facts.instructionsHash, undoneUpToMs: facts.undoneUpToMs },
    ...{ movedFrom: left ?? workspaceDir, cut: facts.cut },
  };
  const optional = {
    ...(opening.effort !== undefined && { effort: opening.effort }),
    ...(isSameModel && noSummaryAt > 0 && { noSummaryAt }),
  };
  return {
    state: {
      context,
      facts: { ...facts, instructionsHash, maxBytes, undoneUpToMs, movedFrom: workspaceDir, ...optional },
      ...{ notes: {}, toldBefore },
    },
    previousWorkspaceDir,
    events: [
      ...(previousWorkspaceDir === undefined || !isResumed(resumeState)
        ? []
        : [{ type: "context_added" as const, source: "workspace" as const, path: workspaceDir }]),
      ...(isNew ? [{ type: "context_added" as const, source: "instructions" as const, path: found.path }] : []),
      ...(undone.length > 0 ? [{ type: "context_added" as const, source: "undo" as const }] : []),
    ],
  };
};

/** Whether a text of ours is in the part of earlier turns that is sent. */
const isSaid = (words: string, { turns }: ResumeState): boolean =>
  turns.some(({ messages }) => messages.some((message) => saysOurselves(message, words)));

/** The state of a turn that began before turns had a state: its prompt was sent without a context. */
export const stateWithoutContext = ({ facts }: ResumeState): TurnState => ({ context: "", facts, notes: {} });
