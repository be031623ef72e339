/** Which threads wait for the person. A thread that this tab follows is known by its events, any other by the list of threads. */
import type { ThreadView } from "../../../contract/thread.ts";
import { signedOut } from "../../api/request-json.ts";
import { askingThreads } from "../../state/chats.ts";

let followed: readonly string[] = [];

/**
 * Threads that ask according to the list, or that asked when this tab stopped following them. A followed thread is removed with its first
 * answer. From then on, its events say whether it asks.
 */
const listed = new Set<string>();

/** Threads whose question was answered since the list was requested. The list may still say that they ask. */
const answered = new Set<string>();

const publish = (): void => {
  const asking = [...new Set([...followed, ...listed])];
  const known = askingThreads.get();
  const isSame = asking.length === known.length && asking.every((threadId, at) => threadId === known[at]);
  if (!isSame) askingThreads.set(asking);
};

/** Tells which of the followed threads ask. */
export const noteFollowed = (asking: readonly string[]): void => {
  followed = asking;
  publish();
};

/** Keeps a thread that asks among those that ask, though its events are no longer followed. */
export const noteUnfollowed = (threadId: string): void => void listed.add(threadId);

/** Call it before the list is requested. */
export const beginListing = (): void => answered.clear();

/** Takes in a page of the list. The first one replaces what was known: a thread that is in no page any more was deleted. */
export const noteListed = (threads: readonly ThreadView[], isFirst: boolean): void => {
  if (isFirst) listed.clear();
  for (const { threadId, status } of threads) {
    if (status === "waiting_permission" && !answered.has(threadId)) listed.add(threadId);
    else listed.delete(threadId);
  }
  publish();
};

/** Marks what the list said of the thread as out of date. */
export const noteAnswered = (threadId: string): void => {
  answered.add(threadId);
  if (listed.delete(threadId)) publish();
};

// The next person must not see the chats of this one.
signedOut.subscribe(() => {
  listed.clear();
  noteFollowed([]);
});
