/** Derives a stock's figures from a price that has moved, as a write would, but without a new version. The copy itself: `db/prices/copy-prices`. */
import type { MovedPrice, PriceCopy } from "../../db/prices/copy-prices.ts";
import { deriveFigures, percentOf, subtract } from "../stock-figures.ts";

/** What is to be copied to the stock: the price and its figures, or the split that holds the price. */
export const copyOf = ({ id, version, split, mark, source, ...moved }: MovedPrice): PriceCopy => {
  if (split !== null) return { id, version, split };
  const { price, previousClose, asOf, ...values } = moved;
  // Without a believed price the first one is held, and what was typed in stays.
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
      lastPriceSource: price === null ? null : source,
    },
    ...{ marketValue, gain, gainPct, targetState, distanceToTargetPct, dayChange },
    dayChangePct: dayChange === null || previousClose === null ? null : percentOf(dayChange, previousClose),
    quoteMark: mark,
  };
};
