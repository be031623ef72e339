/**
 * Values of an action as a person reads them. Amounts have thousands, prices their currency, and an answer to a split
 * says what it would do.
 */
import { isRecord } from "../../../contract/parse-json.ts";
import { writeOut } from "../../../contract/stocks/canonical-decimal.ts";
import { CURRENCY_CODES, DEFAULT_CURRENCY } from "../../../contract/stocks/currency-codes.ts";
import { isStockField } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { AMOUNT_UNITS } from "../../format/amount-units.ts";
import { LOCALE } from "../../format/format-number.ts";
import { NOTHING_TO_SCALE, type SplitFacts, splitTitle, splitWords } from "../../format/stock-split-words.ts";

/** What an action takes as an amount: nothing of it is rounded when it is written out. */
const AMOUNT = /^-?\d{1,12}(?:\.\d{1,10})?$/;

/** Undefined for a value that is not an amount of a stock. Without a known currency, a price is only a number. */
export const amountWords = (field: string, value: unknown, currency: unknown): string | undefined => {
  const unit = isStockField(field) ? fieldSpec(field).unit : undefined;
  if (unit === undefined) return undefined;
  const amount = typeof value === "number" ? writeOut(value) : value;
  if (typeof amount !== "string" || !AMOUNT.test(amount)) return undefined;
  const known = typeof currency === "string" && CURRENCY_CODES.has(currency) ? currency : undefined;
  return AMOUNT_UNITS[unit].write(amount, known, LOCALE);
};

/** A value of a field, in words. */
export const valueWords = (field: string, value: unknown, currency: unknown): string | undefined =>
  amountWords(field, value, currency) ?? wordsOf(value);

/**
 * The value that a field has once `stock` is written: null gives the field's default, if it has one (`actions/merge-values`). Undefined
 * without a default, and for a default that depends on something that is not known.
 */
export const writtenValue = (field: string, value: unknown, stock: Fields): unknown => {
  if (value !== null) return value;
  const { quantity } = stock;
  const isPriced = wordsOf(stock.lastPrice) !== undefined;
  const defaults: Fields = {
    ...{ name: stock.symbol, assetType: "stock", currency: DEFAULT_CURRENCY },
    watched: quantity === undefined ? undefined : !(Number(quantity) > 0),
    ...(isPriced && { lastPriceAt: "now", lastPriceSource: "manual" }),
  };
  return defaults[field];
};

/** Undefined for a missing or empty value. */
export const wordsOf = (value: unknown): string | undefined => {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((part) => typeof part !== "object")) return value.join(", ") || undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** `VOD, XLON`: a listing by its symbol and its market. Undefined for any other value. */
export const listingWords = (value: unknown): string | undefined => {
  if (!isRecord(value) || typeof value.symbol !== "string") return undefined;
  if (value.exchange !== null && typeof value.exchange !== "string") return undefined;
  return [value.symbol, value.exchange].filter(Boolean).join(", ");
};

type Fields = Readonly<Record<string, unknown>>;

const NOT_THEIRS = "does not apply. Quantity, cost and targets stay as they are.";

/**
 * What the agent's answer to a split would do, in the words that the person reads on the stock. Undefined if `split` does not answer the
 * split that is pending on `stock`, or has other fields too.
 */
export const splitAnswerWords = (split: unknown, stock: Fields): string | undefined => {
  if (!isRecord(split) || !isSplitFacts(stock) || stock.pendingSplit?.day !== split.day) return undefined;
  const { day: _, answer, ...rest } = split;
  if (Object.keys(rest).length > 0) return undefined;
  if (answer === "apply") return `${splitTitle(stock)}: ${splitWords(stock) || NOTHING_TO_SCALE}`;
  return answer === "dismiss" ? `${splitTitle(stock)}: ${NOT_THEIRS}` : undefined;
};

/** `NVDA split 10:1 on 10 Jun`. Undefined for a stock without a pending split. */
export const waitingSplitWords = (stock: Fields): string | undefined =>
  isSplitFacts(stock) ? splitTitle(stock) : undefined;

const isAmount = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Whether the stock that the server sent with the request has what the words are made of. */
const isSplitFacts = (stock: Fields): stock is Fields & SplitFacts => {
  const { symbol, currency, quantity, avgCost, targetLow, targetHigh, pendingSplit } = stock;
  return (
    typeof symbol === "string" &&
    typeof currency === "string" &&
    [quantity, avgCost, targetLow, targetHigh].every(isAmount) &&
    isRecord(pendingSplit) &&
    typeof pendingSplit.day === "string" &&
    typeof pendingSplit.numerator === "number" &&
    typeof pendingSplit.denominator === "number"
  );
};
