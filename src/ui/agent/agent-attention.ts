/** Whether the agent waits for the person; kept apart so that the frame can show it without the agent's code. */
import { createStore } from "../state/store.ts";

/** Those of the threads this tab follows that have an open permission request, oldest first. */
export const askingThreads = createStore<readonly string[]>([]);
