/** Figures computed from a stock's values. Computed once, when a stock is written, and stored with it. */
import Big from "big.js";
import { canonicalDecimal } from "../contract/stocks/canonical-decimal.ts";
import type { CurrencyTotal } from "../contract/stocks/list-stocks.ts";
import { majorCurrency } from "../contract/stocks/major-currency.ts";
import type { StockFigures, TargetState } from "../contract/stocks/stock.ts";
import type { StockValues } from "../contract/stocks/stock-values.ts";
import type { HoldingFigures } from "../db/list/list-sums.ts";
import { ExactSum } from "./exact-sum.ts";

/** Our own constructor, so that its precision affects nobody else. */
const Exact = Big();

Exact.DP = 10;

Exact.RM = Exact.roundHalfUp;

const write = (value: Big): string => canonicalDecimal(value.toFixed());

/** Exact, like everything here but quotients, which are rounded to 10 decimals, half away from zero. */
export const subtract = (a: string, b: string): string => write(new Exact(a).minus(b));

export const multiply = (a: string, b: string): string => write(new Exact(a).times(b));

/** Rounded to 10 decimals. */
export const divide = (a: string, b: string): string => write(new Exact(a).div(b));

/** `part` as a percentage of `whole`; null when `whole` is 0. */
export const percentOf = (part: string, whole: string): string | null =>
  whole === "0" ? null : write(new Exact(part).times(100).div(whole));

/** Negative, 0 or positive when `a` is less than, equal to or greater than `b`. */
export const compare = (a: string, b: string): number => new Exact(a).cmp(b);

type Prices = Pick<StockValues, "lastPrice" | "targetLow" | "targetHigh">;

/** What figures are computed from. */
type Terms = Prices & Pick<StockValues, "quantity" | "avgCost" | "watched">;

/** The figures of a stock; null when a value they need is missing. */
export const deriveFigures = (values: Terms): StockFigures => {
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

/** A price equal to its target has reached it. */
const targetStateOf = ({ lastPrice, targetLow, targetHigh }: Prices): TargetState | null => {
  if (targetLow === null && targetHigh === null) return "none";
  if (lastPrice === null) return null;
  if (targetLow !== null && compare(lastPrice, targetLow) <= 0) return "below_low";
  if (targetHigh !== null && compare(lastPrice, targetHigh) >= 0) return "above_high";
  return "between";
};

/** Signed so that ascending order puts the stocks past their target first, starting with the furthest past. */
const distanceToTarget = ({ lastPrice, targetLow, targetHigh }: Prices): string | null => {
  if (lastPrice === null) return null;
  const ways = [
    targetLow === null ? null : subtract(lastPrice, targetLow),
    targetHigh === null ? null : subtract(targetHigh, lastPrice),
  ].filter((way) => way !== null);
  const [nearest] = ways.sort(compare);
  return nearest === undefined ? null : percentOf(nearest, lastPrice);
};

/** One total for each currency in which a cost or a value is known, sorted by code. Pence and the like count towards their currency. */
export const sumTotals = (holdings: readonly (readonly [...HoldingFigures, ...unknown[]])[]): CurrencyTotal[] => {
  const byCurrency = new Map<string, readonly [cost: ExactSum, value: ExactSum, gain: ExactSum]>();
  for (const [currency, cost, value, gain] of holdings) {
    if (cost === null && value === null) continue;
    const { code, divisor } = majorCurrency(currency);
    const sums = byCurrency.get(code) ?? ([new ExactSum(), new ExactSum(), new ExactSum()] as const);
    byCurrency.set(code, sums);
    sums[0].add(cost, divisor);
    sums[1].add(value, divisor);
    sums[2].add(gain, divisor);
  }
  return [...byCurrency]
    .map(([currency, [cost, value, gain]]) => ({ currency, cost: cost.total, value: value.total, gain: gain.total }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
};
