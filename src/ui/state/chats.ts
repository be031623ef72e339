/** The person's chats, as the rest of the app sees them, without loading the agent's code. */
import { createStore } from "./store.ts";

/** Threads with an open request; the ones that this tab follows come first. */
export const askingThreads = createStore<readonly string[]>([]);

/** The address of the chat that was open last, which is where "Chat" returns to; a new chat at first. */
export const lastChat = createStore("/");
