/**
 * The threads this tab follows: the ones that are shown, and one that is not while its run goes on, so that its changes
 * reach the list and its questions reach the person.
 */
import { askingThreads } from "../agent-attention.ts";
import { KeptThread } from "./kept-thread.ts";

/** Threads followed unseen at once: each takes connections, of which a browser has six. */
const MAX_UNSEEN = 1;

const kept = new Map<string, KeptThread>();

/** The thread, made when it is not followed yet. Nothing is read until `showThread` or `openThread`. */
export const keptThread = (threadId: string): KeptThread => {
  const known = kept.get(threadId);
  if (known !== undefined) return known;
  const thread = new KeptThread(threadId);
  kept.set(threadId, thread);
  thread.transcript.subscribe(() => settle());
  return thread;
};

/** Follows the thread for as long as somebody looks at it or its runs go on. */
export const openThread = (threadId: string): KeptThread => {
  const thread = keptThread(threadId);
  thread.transcript.open();
  return thread;
};

/**
 * Follows the thread until the answered function is called; goes on after that while a run is live. Of a new one there is
 * nothing to read: it is opened with its first message.
 */
export const viewThread = (threadId: string, isNew: boolean): (() => void) => {
  const thread = isNew ? keptThread(threadId) : openThread(threadId);
  thread.viewers += 1;
  return () => {
    thread.viewers -= 1;
    settle();
  };
};

/** Ends all requests of a thread that was deleted. */
export const forgetThread = (threadId: string): void => {
  kept.get(threadId)?.transcript.close();
  kept.delete(threadId);
  settle();
};

const settle = (): void => {
  const unseen = [...kept].filter(([, { viewers }]) => viewers === 0);
  const going = unseen.filter(([, thread]) => thread.liveRuns.length > 0).slice(-MAX_UNSEEN);
  for (const [threadId, thread] of unseen) {
    if (going.some(([other]) => other === threadId)) continue;
    kept.delete(threadId);
    thread.transcript.close();
  }
  const asking = [...kept].filter(([, { isAsking }]) => isAsking).map(([threadId]) => threadId);
  const known = askingThreads.get();
  const isSame = asking.length === known.length && asking.every((threadId, at) => threadId === known[at]);
  if (!isSame) askingThreads.set(asking);
};
