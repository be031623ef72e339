/** What a turn says again once it is in no message that is sent: the project's instructions, the to-dos, the accepted plan. */
import type { Message } from "../../../model/messages.ts";
import type { ReadInstructions } from "../../read-instructions.ts";
import { instructionsText } from "../../turn-context.ts";
import type { ConversationFacts, Guidance } from "../conversation.ts";
import { holdsInstructions } from "../open-turn.ts";
import { guidanceTexts } from "./guidance.ts";

/** For one attempt at a turn. */
export class SaidAgain {
  readonly #readInstructions: ReadInstructions;
  #hasReadInstructions = false;

  constructor(readInstructions: ReadInstructions) {
    this.#readInstructions = readInstructions;
  }

  /** The texts, for these messages. */
  async texts(guidance: Guidance, facts: ConversationFacts, sent: readonly Message[]): Promise<string[]> {
    const instructions =
      facts.instructionsHash !== null && !sent.some(holdsInstructions) ? await this.#instructions() : [];
    return [...instructions, ...guidanceTexts(guidance, sent)];
  }

  /** Read once. */
  async #instructions(): Promise<string[]> {
    if (this.#hasReadInstructions) return [];
    this.#hasReadInstructions = true;
    const instructions = await this.#readInstructions();
    return instructions === "none" || instructions === "unknown" ? [] : [instructionsText(instructions)];
  }
}
