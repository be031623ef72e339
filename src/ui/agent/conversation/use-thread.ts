/** Shows a thread in a component. */
import { useEffect, useState } from "preact/hooks";
import type { ThreadSnapshot } from "../thread-transcript.ts";
import type { KeptThread } from "./kept-thread.ts";
import { keptThread, viewThread } from "./thread-keeper.ts";

/** The thread and what it is now. Nothing is asked for one that is new when it is first shown. */
export const useThread = (
  threadId: string,
  isNew: boolean,
): { readonly thread: KeptThread; readonly snapshot: ThreadSnapshot } => {
  const thread = keptThread(threadId);
  const [, setSnapshot] = useState(thread.transcript.getSnapshot());
  useEffect(() => {
    const { transcript } = keptThread(threadId);
    const read = (): void => setSnapshot(transcript.getSnapshot());
    const unsubscribe = transcript.subscribe(read);
    const leave = viewThread(threadId, isNew);
    read();
    return () => {
      unsubscribe();
      leave();
    };
  }, [threadId]);
  return { thread, snapshot: thread.transcript.getSnapshot() };
};
