import { createStore } from "../../state/store.ts";

/** The id of a stock that was opened to set its price: its form takes the focus, and empties this. */
export const priceWanted = createStore<string | undefined>(undefined);
