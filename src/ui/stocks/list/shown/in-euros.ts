/** Amounts of several currencies, made comparable: as floats, for an order and for shares, never for a sum that is shown. */
import type { BaseTotal } from "../../../../contract/stocks/list-stocks.ts";
import { majorCurrency } from "../../../../contract/stocks/major-currency.ts";
import type { Stock } from "../../../../contract/stocks/stock.ts";

export type Rates = BaseTotal["rates"];

/** What one of a currency is worth in euros; NaN without a rate. While there are no rates at all, each is worth one. */
export const euroOf = (currency: string, rates: Rates): number => {
  const { code, divisor } = majorCurrency(currency);
  const rate = rates[code];
  const perEuro = rate === undefined ? (Object.keys(rates).length === 0 ? 1 : Number.NaN) : Number(rate);
  return 1 / divisor / perEuro;
};

/** A part in per cent of its whole, over the stocks that have both; null when there is no whole. */
export const percentOver = (
  stocks: readonly Stock[],
  rates: Rates,
  termsOf: (stock: Stock) => readonly [part: number, whole: number] | undefined,
): string | null => {
  let [parts, wholes] = [0, 0];
  for (const stock of stocks) {
    const terms = termsOf(stock);
    const euro = euroOf(stock.currency, rates);
    if (terms === undefined || Number.isNaN(euro)) continue;
    parts += terms[0] * euro;
    wholes += terms[1] * euro;
  }
  return wholes > 0 ? ((parts / wholes) * 100).toFixed(4) : null;
};
