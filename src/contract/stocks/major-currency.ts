/** Prices in hundredths, and what they are worth in euros. Separate from the list of codes, because the first paint needs only this. */

/** The hundredths in which London, Johannesburg and Tel Aviv quote prices, and their major currencies. */
export const MAJOR_OF_HUNDREDTH: ReadonlyMap<string, string> = new Map([
  ["GBX", "GBP"],
  ["ZAC", "ZAR"],
  ["ILA", "ILS"],
]);

/** The currency for totals, and the number by which an amount has to be divided to get it: 1 or 100. */
export const majorCurrency = (currency: string): { readonly code: string; readonly divisor: 1 | 100 } => {
  const code = MAJOR_OF_HUNDREDTH.get(currency);
  return code === undefined ? { code: currency, divisor: 1 } : { code, divisor: 100 };
};

/** How much of each currency one euro is worth. */
export type Rates = Readonly<Record<string, string>>;

/**
 * What one unit of a currency is worth in euros; NaN without a rate. While there are no rates at all, each major currency counts as one
 * euro. A float: for an order and for proportions, never for a sum that is shown.
 */
export const euroOf = (currency: string, rates: Rates): number => {
  const { code, divisor } = majorCurrency(currency);
  const rate = rates[code];
  const perEuro = rate === undefined ? (Object.keys(rates).length === 0 ? 1 : Number.NaN) : Number(rate);
  return 1 / divisor / perEuro;
};
