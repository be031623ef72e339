/**
 * The units of a stock's amounts: how each is written, and what may be beside its digits when it is read. A new unit needs a row
 * here and no other code.
 */
import type { AmountUnit } from "../../contract/stocks/stock-fields.ts";
import { formatPrice } from "./format-money.ts";
import { formatQuantity } from "./format-number.ts";

type UnitRules = {
  /** As a person reads it. `currency` is the stock's, or undefined where it is not known. */
  readonly write: (amount: string, currency: string | undefined, locale: string) => string;
  /** The signs that may be beside the digits: these, longest first, or those of the stock's currency. */
  readonly signs: "currency" | readonly string[];
};

export const AMOUNT_UNITS: Readonly<Record<AmountUnit, UnitRules>> = {
  shares: { write: (amount, _, locale) => formatQuantity(amount, locale), signs: [] },
  price: {
    write: (amount, currency, locale) =>
      currency === undefined ? formatQuantity(amount, locale) : formatPrice(amount, currency, locale),
    signs: "currency",
  },
};
