/** Derives a stock's figures from a price that has moved, as a write would, but for the version. */
import type { MovedPrice, PriceCopy } from "../../db/prices/moved-prices.ts";
import { deriveFigures, percentOf, subtract } from "../stock-figures.ts";

/** What is copied to the stock. */
export const copyOf = ({ id, version, split, mark, source, ...moved }: MovedPrice): PriceCopy => {
  if (split !== null) return { id, version, split };
  const { price, previousClose, asOf, ...values } = moved;
  // A first price that is held: what was typed in stays.
  const lastPrice = price ?? values.lastPrice;
  const lastPriceAt = price === null ? values.lastPriceAt : asOf;
  const { marketValue, gain, gainPct, targetState, distanceToTargetPct } = deriveFigures({ ...values, lastPrice });
  const dayChange = price === null || previousClose === null ? null : subtract(price, previousClose);
  return {
    ...{ id, version, lastPrice, lastPriceAt, lastPriceSource: price === null ? null : source },
    ...{ marketValue, gain, gainPct, targetState, distanceToTargetPct, dayChange },
    dayChangePct: dayChange === null || previousClose === null ? null : percentOf(dayChange, previousClose),
    quoteMark: mark,
  };
};
