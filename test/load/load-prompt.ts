/** What a prompt of the load suite asks of its model, written into the prompt itself: the model keeps nothing between calls. */
import { z } from "zod";

/** One turn's wish. */
export const LoadPrompt = z.object({
  /** Its number in its thread, from 1. The model says the numbers it was sent, so that their order can be checked. */
  turn: z.int().positive(),
  /** Pieces in which the text comes. */
  deltas: z.int().positive().default(5),
  /** Between two of them, in ms. */
  delayMs: z.int().nonnegative().default(0),
  /** Keeps the model silent until the gate of this name is opened. */
  gate: z.string().optional(),
  /** Action without input that the model calls before it speaks. */
  call: z.string().optional(),
});
export type LoadPrompt = z.infer<typeof LoadPrompt>;

/** The prompt's text. */
export const writePrompt = (prompt: z.input<typeof LoadPrompt>): string => `Go on. [load ${JSON.stringify(prompt)}]`;

/** All wishes in a text, in order. */
export const readPrompts = (text: string): LoadPrompt[] =>
  [...text.matchAll(/\[load (\{[^\]]*\})\]/g)].map(([, json = ""]) => LoadPrompt.parse(JSON.parse(json)));

/** What the model says in a conversation of these turns; behind it comes nothing but filling. */
export const saidAfter = (turns: readonly number[]): string => `Turns so far: ${turns.join(" ")}. `;
