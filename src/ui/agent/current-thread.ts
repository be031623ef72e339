/** The thread that the panel shows beside a screen; kept in this browser from its first message on. */
import { createStore } from "../state/store.ts";

const STORAGE_KEY = "tally.thread";

/** `isNew`: nobody has written in it, so the server does not know it. */
type CurrentThread = { readonly threadId: string; readonly isNew: boolean };

/** The id of a thread that does not exist until its first message. */
export const newThreadId = (): string => crypto.randomUUID();

const startThread = (): CurrentThread => {
  const threadId = localStorage.getItem(STORAGE_KEY);
  return threadId ? { threadId, isNew: false } : { threadId: newThreadId(), isNew: true };
};

/** The panel's thread. */
export const currentThread = createStore(startThread());

/** Makes a thread that has messages the panel's. */
export const showThread = (threadId: string): void => {
  localStorage.setItem(STORAGE_KEY, threadId);
  currentThread.set({ threadId, isNew: false });
};

/** Begins another one in the panel. */
export const showNewThread = (): void => currentThread.set({ threadId: newThreadId(), isNew: true });

/** The thread is gone: the panel goes on with a new one. */
export const leaveThread = (threadId: string): void => {
  if (localStorage.getItem(STORAGE_KEY) === threadId) localStorage.removeItem(STORAGE_KEY);
  if (currentThread.get().threadId === threadId) showNewThread();
};
