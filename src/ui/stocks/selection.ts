/** Which stocks are selected for a change of several at once. */
import { createStore } from "../state/store.ts";

/** Ids in the order of their selection. */
export const selection = createStore<readonly string[]>([]);
