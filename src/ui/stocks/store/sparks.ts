import { createStore } from "../../state/store.ts";

/** Paths of the closes of the last month, by the id of their stock; see `fetch-sparks.ts`. */
export const sparks = createStore<ReadonlyMap<string, string>>(new Map());
