/** What the rows of the list share with other parts, besides the stocks. */
import type { Stock } from "../../../contract/stocks/stock.ts";
import { createStore } from "../../state/store.ts";

/** Ids of the stocks whose rows are lit now. Rows that the agent has just changed light up for a moment, so that they are noticed. */
export const flashes = createStore<ReadonlySet<string>>(new Set());

/** The id of a stock that was opened to set its price: its form takes the focus, and empties this. */
export const priceWanted = createStore<string | undefined>(undefined);

/** Paths of the closes of the last month, by the id of their stock; see `fetch-sparks.ts`. */
export const sparks = createStore<ReadonlyMap<string, string>>(new Map());

/** The list as it is shown: sorted and narrowed. An open stock takes its neighbours from here. */
export const shownStocks = createStore<readonly Stock[]>([]);

/** The row that a key moved the focus to last: a new object each time, so that a stock beside the list follows it there again. */
export const reachedRow = createStore<{ readonly id: string | undefined }>({ id: undefined });
