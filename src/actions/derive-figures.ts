/** What follows from a stock's values. Computed once, when a stock is written, and stored with it. */
import type { StockFigures, StockValues, TargetState } from "../contract/stock.ts";
import { compare, multiply, percentOf, subtract } from "./exact.ts";

type Prices = Pick<StockValues, "lastPrice" | "targetLow" | "targetHigh">;

/** The figures of a stock; null where a value they need is missing. */
export const deriveFigures = (values: StockValues): StockFigures => {
  const marketValue = product(values.quantity, values.lastPrice);
  const costBasis = product(values.quantity, values.avgCost);
  const gain = marketValue === null || costBasis === null ? null : subtract(marketValue, costBasis);
  return {
    status: isHeld(values) ? "holding" : values.watched ? "watching" : "inactive",
    marketValue,
    costBasis,
    gain,
    gainPct: gain === null || costBasis === null ? null : percentOf(gain, costBasis),
    targetState: targetStateOf(values),
    distanceToTargetPct: distanceToTarget(values),
  };
};

/** Whether there is a quantity above 0. */
export const isHeld = ({ quantity }: { readonly quantity: string | null }): boolean =>
  quantity !== null && quantity !== "0";

const product = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? null : multiply(a, b);

/** A price at its target has reached it. */
const targetStateOf = ({ lastPrice, targetLow, targetHigh }: Prices): TargetState | null => {
  if (targetLow === null && targetHigh === null) return "none";
  if (lastPrice === null) return null;
  if (targetLow !== null && compare(lastPrice, targetLow) <= 0) return "below_low";
  if (targetHigh !== null && compare(lastPrice, targetHigh) >= 0) return "above_high";
  return "between";
};

/** Measured so that sorting upwards puts the stocks past their target first, the furthest past on top. */
const distanceToTarget = ({ lastPrice, targetLow, targetHigh }: Prices): string | null => {
  if (lastPrice === null) return null;
  const ways = [
    targetLow === null ? null : subtract(lastPrice, targetLow),
    targetHigh === null ? null : subtract(targetHigh, lastPrice),
  ].filter((way) => way !== null);
  const [nearest] = ways.sort(compare);
  return nearest === undefined ? null : percentOf(nearest, lastPrice);
};
