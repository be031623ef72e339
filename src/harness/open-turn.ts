/** Opens a turn: makes the context that stands before its prompt, and says what of it is worth telling. */
import type { EventOf } from "../contract/transcript.ts";
import type { ContentBlock } from "../model/messages.ts";
import { isResumed, type ResumeState, type TurnState } from "./conversation.ts";
import type { ReadInstructions } from "./read-instructions.ts";
import { type Binding, rebind } from "./rebind.ts";
import { instructionsText, turnContext } from "./turn-context.ts";

/** What the turn's context is made of. */
export type TurnOpening = {
  readonly resumeState: ResumeState;
  readonly binding: Binding;
  readonly nowMs: number;
  /** The navigation state as JSON, or undefined when it is not known. */
  readonly screen: string | undefined;
  readonly workspaceDir: string;
  /** Where the thread worked before, when that was elsewhere. */
  readonly previousWorkspaceDir: string | undefined;
  readonly instructions: Awaited<ReturnType<ReadInstructions>>;
};

/** The state a turn begins with, and the events that tell what the model is given. */
export type OpenedTurn = { readonly state: TurnState; readonly events: readonly EventOf<"context_added">[] };

/** Opens the turn. */
export const openTurn = (opening: TurnOpening): OpenedTurn => {
  const { resumeState, binding, instructions, previousWorkspaceDir, workspaceDir } = opening;
  const facts = rebind(resumeState.facts, resumeState, false, binding);
  const found = instructions === "none" || instructions === "unknown" ? undefined : instructions;
  const isNew = found !== undefined && found.hash !== facts.instructionsHash;
  const areGone = instructions === "none" && facts.instructionsHash !== null;
  // Those of a turn that is summarized or left out by now are given again.
  const isKnown = found !== undefined && !isNew && isSaid(instructionsText(found), resumeState);
  const context = turnContext({ ...opening, instructions: areGone ? "gone" : isKnown ? undefined : found });
  const instructionsHash = areGone ? null : (found?.hash ?? facts.instructionsHash);
  // What was too long for another model says nothing about this one.
  const maxBytes = resumeState.turns.at(-1)?.model === binding.model ? facts.maxBytes : null;
  return {
    state: { context, facts: { ...facts, instructionsHash, maxBytes }, notes: {}, told: [] },
    events: [
      ...(previousWorkspaceDir === undefined || !isResumed(resumeState)
        ? []
        : [{ type: "context_added" as const, source: "workspace" as const, path: workspaceDir }]),
      ...(isNew ? [{ type: "context_added" as const, source: "instructions" as const, path: found.path }] : []),
    ],
  };
};

/** Whether a text of ours is in what is sent of earlier turns. */
const isSaid = (words: string, { turns }: ResumeState): boolean => {
  const holdsIt = (block: ContentBlock): boolean => block.type === "text" && block.text.includes(words);
  return turns.some(({ messages }) => messages.some(({ role, content }) => role === "user" && content.some(holdsIt)));
};

/** The state of a turn that was begun before turns had one: its prompt was sent without a context. */
export const stateWithoutContext = ({ facts }: ResumeState): TurnState => ({ context: "", facts, notes: {}, told: [] });
