/** `list-stocks`: one page, with count and totals over the whole filter, and the cursor of the next one. */
import { decodeBase64Url, encodeBase64Url } from "hono/utils/encode";
import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { contentHash } from "../contract/digest.ts";
import { StockId } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import { parseJson } from "../contract/parse-json.ts";
import { hoursMarket } from "../contract/prices/hours-market.ts";
import { DEFAULT_CURRENCY } from "../contract/stocks/currency-codes.ts";
import { CURSOR_REMEDY, ListStocksInput, ListStocksOutput } from "../contract/stocks/list-stocks.ts";
import type { MovedPrice, PriceCopy } from "../db/prices/copy-prices.ts";
import { listStockPage, type PagePosition } from "../db/stock-list.ts";
import { clockAt } from "../quotes/rules/market-clock.ts";
import { isBeforeSplit } from "../quotes/rules/split-of-closes.ts";
import { defineAction } from "./define-action.ts";
import { sumBase } from "./prices/base-total.ts";
import { statedStock } from "./prices/stated-stock.ts";
import { sparksOf } from "./prices/stock-history.ts";
import { deriveFigures, percentOf, subtract, sumTotals } from "./stock-figures.ts";

export const listStocks = defineAction<ListStocksInput, ListStocksOutput>({
  name: "list-stocks",
  kind: "read",
  description:
    "Lists the person's stocks, a page at a time, with the number of matches, the totals per currency and base, one total in " +
    "the person's own currency; base.rates are per euro. q searches; status, watched, tags and targetHit narrow; " +
    "deleted: true lists the trash. Amounts are exact decimal strings in the stock's own currency; null means " +
    "unknown, not 0. Say how old a price is: lastPriceAt and priceState tell.",
  input: ListStocksInput,
  output: ListStocksOutput,
  run: async ({ db, caller, prices, nowMs }, input) => {
    const after = input.cursor ? await readCursor(input, input.cursor) : undefined;
    const { sort, order, limit, cursor: _, spark, ...filter } = input;
    const query = { filter, sort, order, after, limit };
    const first = await listStockPage(db, caller.ownerEmail, query);
    // Prices are copied only with the first page, so that further pages go on in its order.
    const moved = first.moved.filter(isOfPresentShares);
    const page =
      moved.length === 0
        ? first
        : await listStockPage(db, caller.ownerEmail, query, moved.map(copyOf)).catch((error: unknown) => {
            // A price that a row's checks refuse must not keep anybody from their list, which is then shown with the former prices.
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

/** Whether a price counts present shares, and not those from before a split that its person has answered. */
const isOfPresentShares = ({ split, price, asOf, listing, lastSplit, lastPrice }: MovedPrice): boolean =>
  split !== null ||
  price === null ||
  asOf === null ||
  !isBeforeSplit(hoursMarket(listing), { price, asOf }, lastSplit, lastPrice);

/**
 * What is to be copied to the stock (`db/prices/copy-prices`): the price and its figures, derived as a write would but without a new
 * version, or the split that holds the price.
 */
const copyOf = ({ id, version, split, mark, listing, ...moved }: MovedPrice): PriceCopy => {
  if (split !== null) return { id, version, split };
  const { price, previousClose, asOf, ...values } = moved;
  // Without a believed price, the source's first price is held, and a price that was typed in stays.
  const lastPrice = price ?? values.lastPrice;
  const lastPriceAt = price === null ? values.lastPriceAt : asOf;
  const { marketValue, gain, gainPct, targetState, distanceToTargetPct } = deriveFigures({ ...values, lastPrice });
  const dayChange = price === null || previousClose === null ? null : subtract(price, previousClose);
  return {
    ...{
      id,
      version,
      seenAt: values.lastPriceAt,
      lastPrice,
      lastPriceAt,
      lastPriceSource: price === null ? null : listing.source,
    },
    ...{ marketValue, gain, gainPct, targetState, distanceToTargetPct, dayChange },
    dayChangePct: dayChange === null || previousClose === null ? null : percentOf(dayChange, previousClose),
    quoteMark: mark,
  };
};

/** A cursor: the list's fingerprint, then the position in the list: sort key, id, and the day of the rates where it has any. */
const Cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), StockId, z.iso.date().optional()]);

/** Writes the cursor of the page after a row; needs no escaping in a URL. */
export const writeCursor = async (list: ListStocksInput, { key, id, ratesOn }: PagePosition): Promise<string> => {
  const day = list.sort === "marketValue" && ratesOn !== undefined ? [ratesOn] : [];
  const json = JSON.stringify([await fingerprint(list), key, id, ...day]);
  return encodeBase64Url(new TextEncoder().encode(json).buffer).replace(/=+$/, "");
};

/** Reads a list's own cursor. @throws {AppError} 400 for one of another filter or sort, or for any other text. */
export const readCursor = async (list: ListStocksInput, cursor: string): Promise<PagePosition> => {
  const parsed = Cursor.safeParse(decode(cursor));
  if (!parsed.success || parsed.data[0] !== (await fingerprint(list))) {
    throw new AppError(400, `cursor: ${CURSOR_REMEDY}`);
  }
  const [, key, id, ratesOn] = parsed.data;
  return { key, id, ratesOn };
};

/** What a cursor is bound to: filter and sort. The page size may change between pages. */
const fingerprint = async ({
  cursor: _cursor,
  limit: _limit,
  spark: _spark,
  ...list
}: ListStocksInput): Promise<string> => (await contentHash(list)).slice(0, 16);

const decode = (cursor: string): unknown => {
  try {
    return parseJson(new TextDecoder().decode(decodeBase64Url(cursor)));
  } catch {
    // Not a cursor of ours: refused like any other text, see readCursor.
    return undefined;
  }
};
