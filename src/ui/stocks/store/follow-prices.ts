/** Shows the prices of stocks that were just added. The server asks the source for them in the background, which takes a moment. */
import type { ActionInput } from "../../../contract/action.ts";
import { readAction } from "../../api/read-action.ts";
import { STOCK_LIST_KEY, type StockList, type StockStore } from "./stock-store.ts";

/** When the stocks are read again, in ms after the previous read: most sources answer within a second, the slowest in three. */
const WAITS_MS = [1_500, 3_000, 6_000] as const;

/** The most that one page may have. */
const LIMIT = 200;

/** Reads the stocks that match `filter` until all have a price, three times at most. Never rejects: the list is read again later anyway. */
export const followPrices = async (store: StockStore, filter: ActionInput<"list-stocks">): Promise<void> => {
  for (const waitMs of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const items = await readAction("list-stocks", { ...filter, limit: LIMIT }).then(
      (page) => page.items,
      () => [],
    );
    // A late answer never brings back a stock that has left the list.
    const listed = new Set(store.client.getQueryData<StockList>(STOCK_LIST_KEY)?.items.map(({ id }) => id));
    if (items.length > 0) store.receive({ stocks: items.filter(({ id }) => listed.has(id)), deleted: [] });
    if (items.every(({ lastPrice }) => lastPrice !== null)) return;
  }
};
