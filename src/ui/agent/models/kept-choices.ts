/**
 * The choices of this browser's person: one for each chat, and the last one for new chats. `person.ts` drops them with all
 * else that begins with `tally.` when somebody else signs in.
 */
import { isRecord } from "../conversation/is-record.ts";
import { DEFAULT_CHOICE, type ModelChoice } from "./model-choice.ts";

const STORAGE_KEY = "tally.models";

/** Chats that are kept; the one that was chosen for longest ago goes. */
const MAX_CHATS = 100;

/** `chats` are ids with their choices, newest last. */
export type KeptChoices = { readonly last: ModelChoice; readonly chats: readonly (readonly [string, ModelChoice])[] };

/** The choice that a chat begins with: its own, or else the last one if it is new. */
export const readChoice = (threadId: string, isNew: boolean): ModelChoice => {
  const { last, chats } = parseChoices(localStorage.getItem(STORAGE_KEY));
  return chats.find(([id]) => id === threadId)?.[1] ?? (isNew ? last : DEFAULT_CHOICE);
};

/** Keeps what was picked in a chat; new chats begin with it too. */
export const keepPick = (threadId: string, choice: ModelChoice): void =>
  keep((kept) => ({ last: choice, chats: withChat(kept.chats, threadId, choice) }));

/** Keeps what a chat was sent with: the last choice may become another one, and this chat stays with its own. */
export const keepSent = (threadId: string, choice: ModelChoice): void => {
  if (choice.model === undefined && choice.effort === undefined) return;
  keep((kept) => ({ ...kept, chats: withChat(kept.chats, threadId, choice) }));
};

/** The chats with one more choice. */
export const withChat = (chats: KeptChoices["chats"], threadId: string, choice: ModelChoice): KeptChoices["chats"] =>
  [...chats.filter(([id]) => id !== threadId), [threadId, choice] as const].slice(-MAX_CHATS);

/** Reads what was stored; anything else than choices is none. */
export const parseChoices = (stored: string | null): KeptChoices => {
  let kept: unknown;
  try {
    kept = JSON.parse(stored ?? "null");
  } catch {
    // Not ours.
  }
  if (!isRecord(kept)) return { last: DEFAULT_CHOICE, chats: [] };
  const chats: readonly unknown[] = Array.isArray(kept.chats) ? kept.chats : [];
  return { last: parseChoice(kept.last), chats: chats.flatMap(parseChat) };
};

const keep = (change: (kept: KeptChoices) => KeptChoices): void => {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(change(parseChoices(localStorage.getItem(STORAGE_KEY)))));
  } catch {
    // The storage is full: the choice holds until a reload.
  }
};

const parseChat = (entry: unknown): KeptChoices["chats"] => {
  const [id, choice]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  return typeof id === "string" ? [[id, parseChoice(choice)]] : [];
};

const parseChoice = (choice: unknown): ModelChoice => {
  const { model, effort } = isRecord(choice) ? choice : {};
  return {
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof effort === "string" ? { effort } : {}),
  };
};
