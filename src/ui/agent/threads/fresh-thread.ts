/** The thread that `/` begins; kept in this tab, so that a reload keeps its draft. */
import { newThreadId } from "../current-thread.ts";

const STORAGE_KEY = "tally.fresh-thread";

/** The id of the next new thread. */
export const freshThreadId = (): string => {
  const known = sessionStorage.getItem(STORAGE_KEY);
  if (known !== null) return known;
  const fresh = newThreadId();
  sessionStorage.setItem(STORAGE_KEY, fresh);
  return fresh;
};

/** It has its first message: the next new one is another. */
export const takeFreshThread = (): void => sessionStorage.removeItem(STORAGE_KEY);
