/** Sums per currency over all holdings of a filter, exactly. */

import type { CurrencyTotal } from "../contract/list-stocks.ts";
import { majorCurrency } from "../contract/major-currency.ts";
import type { HoldingFigures } from "../db/stock-list.ts";
import { multiply, sum } from "./exact.ts";

/** One total per currency that a cost or a value is known in, by code. Pence and the like count into their currency. */
export const sumTotals = (holdings: readonly HoldingFigures[]): CurrencyTotal[] => {
  const known = holdings.filter(([, cost, value]) => cost !== null || value !== null);
  const byCurrency = Map.groupBy(known, ([currency]) => majorCurrency(currency).code);
  return [...byCurrency.keys()].sort().map((currency) => {
    const group = byCurrency.get(currency) ?? [];
    return {
      currency,
      cost: sumKnown(group.map(([code, cost]) => inMajorCurrency(code, cost))),
      value: sumKnown(group.map(([code, , value]) => inMajorCurrency(code, value))),
      gain: sumKnown(group.map(([code, , , gain]) => inMajorCurrency(code, gain))),
    };
  });
};

const inMajorCurrency = (code: string, amount: string | null): string | null =>
  amount === null || majorCurrency(code).divisor === 1 ? amount : multiply(amount, "0.01");

const sumKnown = (amounts: readonly (string | null)[]): string | null => {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : sum(known);
};
