/** Whether earlier thinking still fits: the provider binds it to the rules, the tools and the model it was made with. */
import { type ConversationFacts, isResumed, type ResumeState } from "./conversation.ts";

/** What the next request is bound to. */
export type Binding = { readonly model: string; readonly prefixHash: string };

/**
 * The facts of a conversation that continues under this binding. If the binding has changed, the provider may drop what no longer fits.
 * From then on every request says so, because the provider remembers nothing between requests. `hasSteps`: the running turn already
 * contains thinking.
 */
export const rebind = (
  facts: ConversationFacts,
  resumeState: ResumeState,
  hasSteps: boolean,
  { model, prefixHash }: Binding,
): ConversationFacts => {
  const isOtherPrefix = facts.prefixHash !== prefixHash && (isResumed(resumeState) || hasSteps);
  const isOtherModel = resumeState.turns.some((turn) => turn.model !== model);
  const dropsBlocks = facts.dropsBlocks || isOtherPrefix || isOtherModel || resumeState.hasOlder;
  const isSame = dropsBlocks === facts.dropsBlocks && facts.prefixHash === prefixHash;
  return isSame ? facts : { ...facts, prefixHash, dropsBlocks };
};
