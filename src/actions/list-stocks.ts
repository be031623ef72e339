/** `list-stocks`: one page, and count and totals over the whole filter. */
import { ListStocksInput, ListStocksOutput } from "../contract/list-stocks.ts";
import { listStockPage } from "../db/stock-list.ts";
import { defineAction } from "./define-action.ts";
import { readCursor, writeCursor } from "./list-cursor.ts";
import { sumTotals } from "./sum-totals.ts";

export const listStocks = defineAction<ListStocksInput, ListStocksOutput>({
  name: "list-stocks",
  kind: "read",
  description:
    "Lists stocks of the person's list, a page at a time, with the number of matches and the totals per currency over all " +
    "of them. q searches; status, watched, tags and targetHit narrow; deleted: true lists the trash. Amounts are exact " +
    "decimal strings in the stock's own currency; null is unknown, not 0.",
  input: ListStocksInput,
  output: ListStocksOutput,
  run: async ({ db, caller }, input) => {
    const after = input.cursor ? await readCursor(input, input.cursor) : undefined;
    const { sort, order, limit, cursor: _, ...filter } = input;
    const page = await listStockPage(db, caller.ownerEmail, { filter, sort, order, after, limit });
    return {
      items: page.stocks,
      total: page.total,
      nextCursor: page.next ? await writeCursor(input, page.next) : null,
      totals: sumTotals(page.holdings),
    };
  },
  title: ({ q }) => (q === undefined ? "List stocks" : `Search stocks for ${q}`),
});
