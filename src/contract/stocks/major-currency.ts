/** Prices in hundredths. Separate from the list of codes, because the first paint needs only this. */

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
