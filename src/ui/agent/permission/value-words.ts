/** Amounts as a person reads them: with thousands, and prices with their currency. */
import { CURRENCY_CODES } from "../../../contract/stocks/currency-codes.ts";
import { isStockField } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { AMOUNT_UNITS } from "../../format/amount-units.ts";
import { LOCALE } from "../../format/format-number.ts";

/** What an action takes as an amount: nothing of it is rounded when it is written out. */
const AMOUNT = /^-?\d{1,12}(?:\.\d{1,10})?$/;

/** Undefined for a value that is not an amount of a stock. Without a known currency, a price is only a number. */
export const amountWords = (field: string, value: unknown, currency: unknown): string | undefined => {
  const unit = isStockField(field) ? fieldSpec(field).unit : undefined;
  if (unit === undefined) return undefined;
  const amount = typeof value === "number" ? String(value) : value;
  if (typeof amount !== "string" || !AMOUNT.test(amount)) return undefined;
  const known = typeof currency === "string" && CURRENCY_CODES.has(currency) ? currency : undefined;
  return AMOUNT_UNITS[unit].write(amount, known, LOCALE);
};
