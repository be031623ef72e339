/** Amounts as a person reads them: with thousands, and prices with their currency. */
import { CURRENCY_CODES } from "../../../contract/stocks/currency-codes.ts";
import { isStockField } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { formatPrice } from "../../format/format-money.ts";
import { formatQuantity, LOCALE } from "../../format/format-number.ts";

/** What an action takes as an amount: nothing of it is rounded when it is written out. */
const AMOUNT = /^-?\d{1,12}(?:\.\d{1,10})?$/;

/** Undefined for what is no amount of a stock. Without a currency that is known, a price is only a number. */
export const amountWords = (field: string, value: unknown, currency: unknown): string | undefined => {
  if (!isStockField(field) || fieldSpec(field).kind !== "decimal") return undefined;
  const amount = typeof value === "number" ? String(value) : value;
  if (typeof amount !== "string" || !AMOUNT.test(amount)) return undefined;
  const isPriced = fieldSpec(field).unit === "price" && typeof currency === "string" && CURRENCY_CODES.has(currency);
  return isPriced ? formatPrice(amount, currency, LOCALE) : formatQuantity(amount, LOCALE);
};
