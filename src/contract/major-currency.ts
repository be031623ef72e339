/** Prices in hundredths. Apart from the list of codes, which the app needs later than this. */

/** Hundredths that London, Johannesburg and Tel Aviv quote in, and the currency each is a hundredth of. */
export const MAJOR_OF_HUNDREDTH: ReadonlyMap<string, string> = new Map([
  ["GBX", "GBP"],
  ["ZAC", "ZAR"],
  ["ILA", "ILS"],
]);

/** The currency that totals are kept in, and by what an amount has to be divided for it: 1 or 100. */
export const majorCurrency = (currency: string): { readonly code: string; readonly divisor: 1 | 100 } => {
  const code = MAJOR_OF_HUNDREDTH.get(currency);
  return code === undefined ? { code: currency, divisor: 1 } : { code, divisor: 100 };
};
