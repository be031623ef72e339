/** What may be said of a stock's price at a moment, by its market's clock. */
import { hoursMarketOf } from "../../contract/prices/hours-market.ts";
import type { PriceState } from "../../contract/prices/price-fields.ts";
import type { Stock } from "../../contract/stocks/stock.ts";
import type { ListedStock } from "../../db/list/listed-stock.ts";
import { dayAt, type MarketClock } from "../../quotes/rules/market-clock.ts";
import { priceStateOf, readMark, type StatedPrice } from "../../quotes/rules/price-state.ts";

/** What the state of a price is read from. */
type Priced = StatedPrice & Pick<ListedStock, "exchange">;

/** The state of a price now. */
export const stateOfPrice = (priced: Priced, clock: MarketClock, nowMs: number): PriceState =>
  priceStateOf(priced, clock(priced.exchange), nowMs, (ms) => dayAt(priced.exchange, ms));

/** The record as answers show it. */
export const statedStock = (
  { quoteMark, instrumentId, ...stock }: ListedStock,
  clock: MarketClock,
  nowMs: number,
): Stock => {
  const exchange = hoursMarketOf(stock.instrument, stock.exchange);
  return { ...stock, priceState: stateOfPrice({ ...stock, exchange, mark: readMark(quoteMark) }, clock, nowMs) };
};
