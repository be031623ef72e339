/** Amounts of several currencies, made comparable: as floats, for an order and for shares, never for a sum that is shown. */
import type { BaseTotal } from "../../../../contract/stocks/list-stocks.ts";
import { majorCurrency } from "../../../../contract/stocks/major-currency.ts";

export type Rates = BaseTotal["rates"];

/** What one of a currency is worth in euros; NaN without a rate. While there are no rates at all, each is worth one. */
export const euroOf = (currency: string, rates: Rates): number => {
  const { code, divisor } = majorCurrency(currency);
  const rate = rates[code];
  const perEuro = rate === undefined ? (Object.keys(rates).length === 0 ? 1 : Number.NaN) : Number(rate);
  return 1 / divisor / perEuro;
};
