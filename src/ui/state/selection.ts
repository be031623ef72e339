import { createStore } from "./store.ts";

/** Ids of the stocks selected for a bulk action, in the order they were selected. */
export const selection = createStore<readonly string[]>([]);
