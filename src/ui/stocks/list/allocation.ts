/** How the value in one currency spreads over its holdings, and what the gain is of what was paid. As ratios: floats. */
import { majorCurrency } from "../../../contract/major-currency.ts";
import type { Stock } from "../../../contract/stock.ts";

/** Largest holdings that have a part of their own. */
const NAMED_PARTS = 4;

/** `share` is of 1. `label` is a symbol, or `others`. */
export type AllocationPart = { readonly label: string; readonly share: number };

/** Hundredths such as GBX are in their currency. */
export const isIn = (currency: string) => (stock: Stock) => majorCurrency(stock.currency).code === currency;

/** An amount in units of the currency that totals are kept in. */
const inMajor = (amount: string | null, { currency }: Stock): number =>
  Number(amount ?? 0) / majorCurrency(currency).divisor;

/** The parts of a currency's value, largest first, `others` last. Empty when there is no value. */
export const allocationOf = (stocks: readonly Stock[], currency: string): readonly AllocationPart[] => {
  const held = stocks
    .filter(isIn(currency))
    .map((stock) => ({ label: stock.symbol, value: inMajor(stock.marketValue, stock) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const sum = sumOf(held);
  const others = sumOf(held.slice(NAMED_PARTS));
  const parts = held.slice(0, NAMED_PARTS).map(({ label, value }) => ({ label, share: value / sum }));
  return others > 0 ? [...parts, { label: "others", share: others / sum }] : parts;
};

const sumOf = (parts: readonly { readonly value: number }[]): number =>
  parts.reduce((sum, { value }) => sum + value, 0);

/** A currency's gain in per cent of what the holdings cost of which the gain is known; null when nothing was paid. */
export const gainPercent = (stocks: readonly Stock[], currency: string, gain: string | null): string | null => {
  const paid = stocks
    .filter((stock) => stock.gain !== null && isIn(currency)(stock))
    .reduce((sum, stock) => sum + inMajor(stock.costBasis, stock), 0);
  return gain === null || paid === 0 ? null : ((Number(gain) / paid) * 100).toFixed(4);
};
