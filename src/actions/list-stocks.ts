/** `list-stocks`: one page, with count and totals over the whole filter. */
import { log } from "../contract/log.ts";
import { DEFAULT_CURRENCY } from "../contract/stocks/currency-codes.ts";
import { ListStocksInput, ListStocksOutput } from "../contract/stocks/list-stocks.ts";
import { listStockPage } from "../db/stock-list.ts";
import { clockAt } from "../quotes/rules/market-clock.ts";
import { defineAction } from "./define-action.ts";
import { readCursor, writeCursor } from "./list-cursor.ts";
import { sumBase } from "./prices/base-total.ts";
import { copyOf } from "./prices/price-copy.ts";
import { statedStock } from "./prices/stated-stock.ts";
import { sparksOf } from "./prices/stock-history.ts";
import { sumTotals } from "./stock-figures.ts";

export const listStocks = defineAction<ListStocksInput, ListStocksOutput>({
  name: "list-stocks",
  kind: "read",
  description:
    "Lists the person's stocks, a page at a time, with the number of matches, the totals per currency and base, one total in " +
    "the person's own currency. q searches; status, watched, tags and targetHit narrow; deleted: true lists the trash. Amounts " +
    "are exact decimal strings in the stock's own currency; null means unknown, not 0. Say how old a price is: lastPriceAt " +
    "and priceState tell.",
  input: ListStocksInput,
  output: ListStocksOutput,
  run: async ({ db, caller, prices, nowMs }, input) => {
    const after = input.cursor ? await readCursor(input, input.cursor) : undefined;
    const { sort, order, limit, cursor: _, spark, ...filter } = input;
    const query = { filter, sort, order, after, limit };
    const first = await listStockPage(db, caller.ownerEmail, query);
    // Prices are copied with the first page alone: further pages go on in the order that it had.
    const page =
      first.moved.length === 0
        ? first
        : await listStockPage(db, caller.ownerEmail, query, first.moved.map(copyOf)).catch((error: unknown) => {
            // A price that a row refuses must not keep anybody from their list: it is as it was before.
            log.error("Prices were not copied to a list.", { error });
            return first;
          });
    const now = nowMs();
    const clock = clockAt(now);
    const totals = sumTotals(page.holdings);
    const base = sumBase(totals, page, DEFAULT_CURRENCY, clock, now);
    if (base.missing.length > 0 && page.rates === undefined) prices.wantRates();
    if (after === undefined) prices.wake(page.hasKey);
    const sparkOf = spark ? await sparksOf({ db, nowMs }, page.stocks.flatMap(linked)) : undefined;
    return {
      items: page.stocks.map((stock) => ({
        ...statedStock(stock, clock, now),
        ...(sparkOf && { spark: sparkOf(stock.instrumentId) }),
      })),
      total: page.total,
      nextCursor: page.next ? await writeCursor(input, page.next) : null,
      totals,
      base,
    };
  },
  title: ({ q }) => (q === undefined ? "List stocks" : `Search stocks for ${q}`),
});

const linked = ({ instrumentId }: { readonly instrumentId: string | null }): string[] =>
  instrumentId === null ? [] : [instrumentId];
