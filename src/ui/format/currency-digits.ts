/** Decimals that amounts of a currency usually have. */
import { majorCurrency } from "../../contract/major-currency.ts";

const known = new Map<string, number>();

/** 2 for USD, 0 for JPY; 0 for the hundredths GBX, ZAC and ILA, which `Intl` does not know. */
export const currencyDigits = (currency: string): number => {
  const digits = known.get(currency) ?? lookUp(currency);
  known.set(currency, digits);
  return digits;
};

const lookUp = (currency: string): number =>
  majorCurrency(currency).divisor === 100
    ? 0
    : (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2);
