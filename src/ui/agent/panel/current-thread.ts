/** The thread that the panel shows beside a screen. This browser remembers it from its first message on. */
import { chatPath } from "../../../contract/app-paths.ts";
import { belowStep } from "../../navigation/use-back-step.ts";
import { lastChat } from "../../state/chats.ts";
import { createStore } from "../../state/store.ts";
import { moveDraft } from "../conversation/draft.ts";

const STORAGE_KEY = "tally.thread";

/** `isNew`: it has no messages, so the server does not know it. */
export type CurrentThread = { readonly threadId: string; readonly isNew: boolean };

const FRESH_KEY = "tally.fresh-thread";

/** In the storage of all tabs: the new threads that have last become known to the server or were deleted, newest first. */
const TAKEN_KEY = "tally.taken-threads";

/** About a hundred ids. */
const MAX_TAKEN_LENGTH = 4_000;

const isTaken = (threadId: string): boolean => localStorage.getItem(TAKEN_KEY)?.includes(threadId) === true;

/**
 * The id of this tab's next new thread. It is kept, so that a draft is there again after a reload, and after a look at another chat. A
 * duplicated tab has the same id: once the other tab has sent something there, this one takes another id, and moves its draft there.
 */
export const freshThreadId = (): string => {
  const known = sessionStorage.getItem(FRESH_KEY);
  if (known !== null && !isTaken(known)) return known;
  const fresh = crypto.randomUUID();
  sessionStorage.setItem(FRESH_KEY, fresh);
  if (known !== null) moveDraft(known, fresh);
  return fresh;
};

/** Call it for a thread that has a message, or was deleted: the next new thread then gets another id. */
const takeFreshThread = (threadId: string): void => {
  if (sessionStorage.getItem(FRESH_KEY) !== threadId) return;
  sessionStorage.removeItem(FRESH_KEY);
  const before = localStorage.getItem(TAKEN_KEY) ?? "";
  localStorage.setItem(TAKEN_KEY, `${threadId} ${before}`.slice(0, MAX_TAKEN_LENGTH));
};

const startThread = (): CurrentThread => {
  const threadId = localStorage.getItem(STORAGE_KEY);
  return threadId ? { threadId, isNew: false } : { threadId: freshThreadId(), isNew: true };
};

/** Also set when the next new thread gets another id. */
export const currentThread = createStore(startThread());

addEventListener("storage", ({ key }) => {
  const known = sessionStorage.getItem(FRESH_KEY);
  if (key !== TAKEN_KEY || known === null || !isTaken(known)) return;
  const { threadId, isNew } = currentThread.get();
  currentThread.set({ threadId: isNew ? freshThreadId() : threadId, isNew });
});

/** Shows an existing thread in the panel. */
export const showThread = (threadId: string): void => {
  takeFreshThread(threadId);
  localStorage.setItem(STORAGE_KEY, threadId);
  currentThread.set({ threadId, isNew: false });
};

type Replace = (path: string, isReplacing: true) => void;

/**
 * Call it when a message has arrived, whatever the person is looking at by then: with its first message, a thread is no longer the next
 * new one. `route` is the router's.
 */
export const noteSent = (threadId: string, route: Replace): void => {
  // The address below the step of the list of chats is replaced. Otherwise Back would lead to an empty chat.
  if (location.pathname === "/") belowStep(() => noteArrived(threadId, route));
  else noteArrived(threadId, route);
};

const noteArrived = (threadId: string, route: Replace): void => {
  const wasFresh = sessionStorage.getItem(FRESH_KEY) === threadId;
  const path = chatPath(threadId);
  takeFreshThread(threadId);
  // Until now its address was that of a new chat.
  if (wasFresh && lastChat.get() === "/") lastChat.set(path);
  // The chat screen makes the thread in its address the current one.
  if (wasFresh && location.pathname === "/") route(path, true);
  else if (currentThread.get().threadId === threadId) showThread(threadId);
};

/** Shows a new, empty thread in the panel. */
export const showNewThread = (): void => currentThread.set({ threadId: freshThreadId(), isNew: true });

/** Replaces a deleted thread with a new one in the panel. */
export const leaveThread = (threadId: string): void => {
  takeFreshThread(threadId);
  if (localStorage.getItem(STORAGE_KEY) === threadId) localStorage.removeItem(STORAGE_KEY);
  if (currentThread.get().threadId === threadId) showNewThread();
  if (lastChat.get() === chatPath(threadId)) lastChat.set("/");
};
