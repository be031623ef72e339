/** Messages that are being written, one for each thread, kept through reloads of this tab. */

/** `key` is the idempotency key of a send whose answer never came: the same text sent again starts nothing twice. */
export type Draft = { readonly text: string; readonly key?: string };

const NO_DRAFT: Draft = { text: "" };

const storageKey = (threadId: string): string => `tally.draft:${threadId}`;

/** The thread's draft; an empty one when there is none. */
export const readDraft = (threadId: string): Draft => parseDraft(sessionStorage.getItem(storageKey(threadId)));

/** Keeps the draft; an empty one is forgotten. */
export const writeDraft = (threadId: string, { text, key }: Draft): void => {
  if (text === "") {
    sessionStorage.removeItem(storageKey(threadId));
    return;
  }
  try {
    sessionStorage.setItem(storageKey(threadId), JSON.stringify({ text, key }));
  } catch {
    // The storage is full: the text is still on the screen, only a reload would lose it.
  }
};

/** Reads what was stored; anything else than a draft is none. */
export const parseDraft = (stored: string | null): Draft => {
  try {
    const draft: unknown = JSON.parse(stored ?? "null");
    if (typeof draft !== "object" || draft === null || !("text" in draft)) return NO_DRAFT;
    if (typeof draft.text !== "string") return NO_DRAFT;
    return "key" in draft && typeof draft.key === "string"
      ? { text: draft.text, key: draft.key }
      : { text: draft.text };
  } catch {
    return NO_DRAFT;
  }
};
