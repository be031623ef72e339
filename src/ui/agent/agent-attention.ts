/** Whether the agent waits for the person; kept apart so that the frame can show it without the agent's code. */
import { createStore } from "../state/store.ts";

/** Permission requests that are open in the threads this tab follows. */
export const openRequestCount = createStore(0);

/** The thread of the oldest of them; undefined while nothing waits. */
export const askingThread = createStore<string | undefined>(undefined);
