/** What is being written in a thread, as this tab keeps it across reloads. */
import { isRecord, parseJson } from "../../../contract/parse-json.ts";

/**
 * A message that is being written, and whether it asks for a plan first. `key` is the idempotency key of a send whose response
 * never came, and `toRun` is the run that this send was for, if any. Sending again uses both, so the message arrives once. `added` is
 * the text that the app has put in since. It is not part of that message, and remains when the message has arrived.
 */
export type Draft = {
  readonly text: string;
  readonly isPlan: boolean;
  readonly key?: string | undefined;
  readonly toRun?: string | undefined;
  readonly added?: string | undefined;
  readonly edit?: Edit | undefined;
};

/** The message that a draft replaces. `isRewound`: the chat has gone back to before it. `aside`: what was being written before. */
export type Edit = {
  readonly runId: string;
  readonly isRewound: boolean;
  readonly aside: Written;
};

type Written = Omit<Draft, "edit">;

/** The fields of a draft that has not been sent. */
export const UNSENT = { key: undefined, toRun: undefined, added: undefined } as const;

export const NO_DRAFT = { text: "", isPlan: false, ...UNSENT, edit: undefined } as const satisfies Draft;

const joinLines = (first: string, second: string): string => [first.trimEnd(), second].filter(Boolean).join("\n");

/** All that the composer shows of a draft. */
export const wholeText = ({ text, added }: Draft): string => (added ? joinLines(text, added) : text);

/** The draft with more text, which is kept apart from a message that may have arrived. */
export const withMore = (draft: Draft, more: string): Draft =>
  draft.key === undefined
    ? { ...draft, text: joinLines(draft.text, more) }
    : { ...draft, added: joinLines(draft.added ?? "", more) };

const storageKey = (threadId: string): string => `tally.draft:${threadId}`;

/** The thread's draft, or an empty one. */
export const readDraft = (threadId: string): Draft => parseDraft(sessionStorage.getItem(storageKey(threadId)));

/** Stores the draft, or removes an empty one. */
export const writeDraft = (threadId: string, draft: Draft): void => {
  if (draft.text === "" && draft.edit === undefined) {
    sessionStorage.removeItem(storageKey(threadId));
    return;
  }
  try {
    sessionStorage.setItem(storageKey(threadId), JSON.stringify(draft));
  } catch {
    // The storage is full: the text is still on the screen, and only a reload would lose it.
  }
};

/** Puts a message into the composer of a thread that is not on the screen yet. */
export const keepDraft = (threadId: string, message: Pick<Draft, "text" | "isPlan">): void =>
  writeDraft(threadId, message);

/**
 * Moves what is being written to another thread, behind what is being written there, and what an edit had put aside behind that. Its key and
 * the message that it replaces are dropped: they belong to the old thread.
 */
export const moveDraft = (from: string, to: string): void => {
  const draft = readDraft(from);
  const there = readDraft(to);
  const before = there.text === "" ? { ...NO_DRAFT, isPlan: draft.isPlan } : there;
  const texts = [draft, ...(draft.edit ? [draft.edit.aside] : [])].map(wholeText).filter(Boolean);
  if (texts.length > 0) writeDraft(to, texts.reduce(withMore, before));
  sessionStorage.removeItem(storageKey(from));
};

/** Parses a stored draft. Anything else gives an empty one. */
export const parseDraft = (stored: string | null): Draft => {
  try {
    const draft: unknown = parseJson(stored ?? "null");
    const written = readWritten(draft);
    return written && isRecord(draft) ? { ...written, edit: readEdit(draft.edit) } : NO_DRAFT;
  } catch {
    return NO_DRAFT;
  }
};

const readText = (stored: unknown): string | undefined => (typeof stored === "string" ? stored : undefined);

const readWritten = (stored: unknown): Written | undefined => {
  if (!isRecord(stored) || typeof stored.text !== "string") return undefined;
  const { text, key, toRun, added } = stored;
  return { text, isPlan: stored.isPlan === true, key: readText(key), toRun: readText(toRun), added: readText(added) };
};

const readEdit = (stored: unknown): Edit | undefined => {
  if (!isRecord(stored) || typeof stored.runId !== "string") return undefined;
  const { runId, isRewound } = stored;
  return { runId, isRewound: isRewound === true, aside: readWritten(stored.aside) ?? { text: "", isPlan: false } };
};
