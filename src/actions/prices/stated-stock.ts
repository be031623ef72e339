/** What may be said of a stock's price at a moment, by its market's clock. */
import { hoursMarketOf } from "../../contract/prices/hours-market.ts";
import type { PriceState } from "../../contract/prices/price-fields.ts";
import type { Stock } from "../../contract/stocks/stock.ts";
import type { ListedStock } from "../../db/list/listed-stock.ts";
import { dayAt, type MarketClock } from "../../quotes/rules/market-clock.ts";
import { priceStateOf, readMark, type StatedPrice } from "../../quotes/rules/price-state.ts";

/** What the state of a price is read from. */
type Priced = StatedPrice & Pick<ListedStock, "exchange">;

const stateOfPrice = (priced: Priced, clock: MarketClock, nowMs: number): PriceState =>
  priceStateOf(priced, clock(priced.exchange), nowMs, (ms) => dayAt(priced.exchange, ms));

/** Whether a price is `stale`, or would be if nothing held it: a split or a jump may do so for weeks. */
export const isOldPrice = (
  { quoteMark, ...price }: Pick<ListedStock, "lastPrice" | "lastPriceAt" | "exchange" | "quoteMark">,
  clock: MarketClock,
  nowMs: number,
): boolean => {
  const mark = readMark(quoteMark);
  return (
    stateOfPrice({ ...price, mark: mark && { ...mark, isHeld: false }, pendingSplit: null }, clock, nowMs) === "stale"
  );
};

/** The record as answers show it. */
export const statedStock = (
  { quoteMark, instrumentId, ...stock }: ListedStock,
  clock: MarketClock,
  nowMs: number,
): Stock => {
  const exchange = hoursMarketOf(stock.instrument, stock.exchange);
  return { ...stock, priceState: stateOfPrice({ ...stock, exchange, mark: readMark(quoteMark) }, clock, nowMs) };
};
