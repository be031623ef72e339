/** What a thread is called. */
import type { ThreadView } from "../../../contract/thread.ts";

/** `New chat` until its first message has been taken, and the list names it. */
export const threadTitle = (threads: readonly ThreadView[] | undefined, threadId: string): string =>
  threads?.find((thread) => thread.threadId === threadId)?.title ?? "New chat";
