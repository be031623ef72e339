/** Shows the prices of stocks that were just added. The server asks the source for them in the background, which takes a moment. */
import type { ActionInput, ActionOutput } from "../../../contract/action.ts";
import { readAction } from "../../api/read-action.ts";
import { STOCK_LIST_KEY, type StockList, type StockStore } from "./stock-store.ts";

/** When the stocks are read again, in ms after the previous read: most sources answer within a second, the slowest in three. */
const WAITS_MS = [1_500, 3_000, 6_000] as const;

/** The most that one page may have. */
const LIMIT = 200;

type Filter = ActionInput<"list-stocks">;

/** Reads a page of `list-stocks`. */
type ReadPage = (input: Filter) => Promise<Pick<ActionOutput<"list-stocks">, "items">>;

/**
 * Reads the stocks that match `filter` until all have a price, three times at most, of which any may fail. Never rejects: the list is
 * read again later anyway.
 */
export const followPrices = async (
  store: StockStore,
  filter: Filter,
  read: ReadPage = (input) => readAction("list-stocks", input),
): Promise<void> => {
  for (const waitMs of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const page = await read({ ...filter, limit: LIMIT }).catch(() => undefined);
    if (page === undefined) continue;
    const { items } = page;
    // A late answer never brings back a stock that has left the list.
    const listed = new Set(store.client.getQueryData<StockList>(STOCK_LIST_KEY)?.items.map(({ id }) => id));
    if (items.length > 0) store.receive({ stocks: items.filter(({ id }) => listed.has(id)), deleted: [] });
    if (items.every(({ lastPrice }) => lastPrice !== null)) return;
  }
};
