/**
 * Messages without halves of surrogate pairs: the API refuses a request that holds one, and a conversation that was stored with
 * one would be refused for ever. What comes in now is mended where it comes in.
 */
import type { Message } from "./messages.ts";

/** The messages as they are when all is well; else with U+FFFD for each half. */
export const wellFormed = (messages: readonly Message[]): readonly Message[] =>
  isWellFormed(messages) ? messages : healed(messages);

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, part]) => key.isWellFormed() && isWellFormed(part));
};

/** An escaped backslash, or the escape that `JSON.stringify` writes for a half and for nothing else. */
const BACKSLASH_OR_HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/** The messages by way of their JSON. Halves become the character itself and not its escape, which V8 misreads in some keys. */
const healed = (messages: readonly Message[]): Message[] => {
  const json = JSON.stringify(messages);
  return JSON.parse(json.replace(BACKSLASH_OR_HALF, (found) => (found === "\\\\" ? found : "\ufffd")));
};
