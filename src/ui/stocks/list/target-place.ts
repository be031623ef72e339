/** Where the last price stands between its targets. */
import type { Stock } from "../../../contract/stock.ts";

/** With one target alone, the scale ends this far from it, as a part of the target. */
const REACH = 0.5;

/** From 0, at or below the lower end, to 1; undefined without a price or a target. */
export const targetPlace = ({ lastPrice, targetLow, targetHigh }: Stock): number | undefined => {
  if (lastPrice === null || (targetLow === null && targetHigh === null)) return undefined;
  const price = Number(lastPrice);
  const low = targetLow === null ? Number(targetHigh) * (1 - REACH) : Number(targetLow);
  const high = targetHigh === null ? Number(targetLow) * (1 + REACH) : Number(targetHigh);
  // Two targets may be the same price: then there is only below and above.
  if (high <= low) return price < low ? 0 : 1;
  return Math.min(Math.max((price - low) / (high - low), 0), 1);
};
