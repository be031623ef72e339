/** Rows that the agent has just changed light up for a moment, so that they are noticed. */
import { createStore } from "../../state/store.ts";

/** Ids of the stocks that are lit now. */
export const flashes = createStore<ReadonlySet<string>>(new Set());
