/** What a turn says again once no message that is sent says it: the project's instructions, the to-dos, the accepted plan. */
import type { Message } from "../../../model/messages.ts";
import type { ReadInstructions } from "../../read-instructions.ts";
import { instructionsText } from "../../turn-context.ts";
import type { ConversationFacts, Guidance } from "../conversation.ts";
import { holdsInstructions } from "../open-turn.ts";
import { guidanceTexts } from "./guidance.ts";

/** For one attempt at a turn. */
export class SaidAgain {
  readonly #readInstructions: ReadInstructions;
  #read: string[] | undefined;

  constructor(readInstructions: ReadInstructions) {
    this.#readInstructions = readInstructions;
  }

  /** The texts, for these messages. */
  async texts(guidance: Guidance, facts: ConversationFacts, sent: readonly Message[]): Promise<string[]> {
    const areLost = facts.instructionsHash !== null && !sent.some(holdsInstructions);
    // Kept for the attempt: a later cut can remove the message that says it again.
    if (areLost) this.#read ??= await this.#instructions();
    return [...(areLost ? (this.#read ?? []) : []), ...guidanceTexts(guidance, sent)];
  }

  async #instructions(): Promise<string[]> {
    const instructions = await this.#readInstructions();
    return instructions === "none" || instructions === "unknown" ? [] : [instructionsText(instructions)];
  }
}
