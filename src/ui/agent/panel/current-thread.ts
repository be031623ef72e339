/** The thread that the panel shows beside a screen. This browser remembers it from its first message on. */
import { chatPath } from "../../../contract/app-paths.ts";
import { lastChat } from "../../state/chats.ts";
import { createStore } from "../../state/store.ts";

const STORAGE_KEY = "tally.thread";

/** `isNew`: it has no messages, so the server does not know it. */
export type CurrentThread = { readonly threadId: string; readonly isNew: boolean };

/** Makes the id of a thread. The thread exists from its first message on. */
export const newThreadId = (): string => crypto.randomUUID();

const startThread = (): CurrentThread => {
  const threadId = localStorage.getItem(STORAGE_KEY);
  return threadId ? { threadId, isNew: false } : { threadId: newThreadId(), isNew: true };
};

export const currentThread = createStore(startThread());

/** Shows an existing thread in the panel. */
export const showThread = (threadId: string): void => {
  localStorage.setItem(STORAGE_KEY, threadId);
  currentThread.set({ threadId, isNew: false });
};

/** Shows a new, empty thread in the panel. */
export const showNewThread = (): void => currentThread.set({ threadId: newThreadId(), isNew: true });

/** Replaces a deleted thread with a new one in the panel. */
export const leaveThread = (threadId: string): void => {
  if (localStorage.getItem(STORAGE_KEY) === threadId) localStorage.removeItem(STORAGE_KEY);
  if (currentThread.get().threadId === threadId) showNewThread();
  if (lastChat.get() === chatPath(threadId)) lastChat.set("/");
};
