import type { Stock } from "../../../contract/stocks/stock.ts";
import { createStore } from "../../state/store.ts";

/** The list as it is shown: sorted and narrowed. An open stock leads to its neighbours. */
export const shownStocks = createStore<readonly Stock[]>([]);

/** The id of the row that a key moved the focus to last. A stock beside the list follows it. */
export const reachedRow = createStore<string | undefined>(undefined);
