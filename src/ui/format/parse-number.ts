/** Parses the amount a person types, in their locale, into the decimal on the wire (decision 0040). */
import type { AmountUnit } from "../../contract/stocks/stock-fields.ts";
import { AMOUNT_UNITS } from "./amount-units.ts";
import { currencyMarks, plainTyping } from "./currency-marks.ts";
import { formatDecimal } from "./format-number.ts";
import {
  localeSeparators,
  type NumberReading,
  numberProblem,
  numberRemedy,
  readDigits,
  type Separators,
} from "./read-digits.ts";

/** Longest text that is parsed, in UTF-16 units. No amount with its sign and separators is half as long. */
const MAX_LENGTH = 64;

/** Allowed values. Quantities and prices are 0 or more, targets more than 0 (api.md §5). */
type NumberRange = "any" | "zero_or_more" | "more_than_zero";

export type NumberRules = {
  readonly range?: NumberRange;
  /** The amount's currency. Its sign or code may be beside the digits; that of another currency is refused. */
  readonly currency?: string | undefined;
};

/** Parses with the separators of `locale`, a valid language tag. Blank text of up to 64 characters is `empty`. Never throws. */
export const parseNumber = (text: string, locale: string, rules: NumberRules = {}): NumberReading => {
  const marks = rules.currency === undefined ? [] : currencyMarks(rules.currency, locale);
  return parseAmount(text, localeSeparators(locale), marks, rules);
};

/** The same for an amount of a stock in `currency`. `locale` is that of the currency's signs. */
export const parseStockAmount = (
  text: string,
  unit: AmountUnit,
  separators: Separators,
  { range, currency, locale }: { readonly range: NumberRange; readonly currency: string; readonly locale: string },
): NumberReading => {
  const { signs } = AMOUNT_UNITS[unit];
  return signs === "currency"
    ? parseAmount(text, separators, currencyMarks(currency, locale), { range, currency })
    : parseAmount(text, separators, signs, { range });
};

/** `parseNumber` with separators instead of a locale, for files. `marks` are the signs to leave out, longest first. */
export const parseAmount = (
  text: string,
  separators: Separators,
  marks: readonly string[],
  { range = "any", currency }: NumberRules,
): NumberReading => {
  if (text.length > MAX_LENGTH) return numberProblem(numberRemedy(separators));
  const typed = plainTyping(text);
  if (typed === "") return { kind: "empty" };
  const isSignFirst = /^[+-]/.test(typed);
  const [sign, digits] = isSignFirst ? withoutMarkInside(typed, marks) : takeSign(takeMark(typed, marks));
  if (hasMark(digits)) return numberProblem(markRemedy(currency));
  // Only a currency has letters or a sign of its own here.
  const isMoney = /[\p{L}\p{Sc}]/u.test(typed);
  const reading = readDigits(digits, (isMoney && separators.ofMoney) || separators);
  if (reading.kind !== "number") return reading;
  const isNegative = sign === "-" && reading.decimal !== "0";
  const decimal = isNegative ? `-${reading.decimal}` : reading.decimal;
  return rangeProblem(decimal, range) ?? { kind: "number", decimal };
};

type Signed = readonly [sign: string, rest: string];

const takeSign = (text: string): Signed => {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  return [sign, text.slice(sign.length).trim()];
};

/** The sign may come before the currency, `-$5`, or after it, `$-5`. */
const withoutMarkInside = (text: string, marks: readonly string[]): Signed => {
  const [sign, rest] = takeSign(text);
  return [sign, takeMark(rest, marks)];
};

const takeMark = (text: string, marks: readonly string[]): string => {
  const before = marks.find((mark) => startsWith(text, mark));
  if (before !== undefined) return text.slice(before.length).trim();
  const after = marks.find((mark) => text.endsWith(mark) || (isCode(mark) && text.endsWith(mark.toLowerCase())));
  return after === undefined ? text : text.slice(0, -after.length).trim();
};

const isCode = (mark: string): boolean => /^[A-Z]{3}$/.test(mark);

const startsWith = (text: string, mark: string): boolean =>
  text.startsWith(mark) || (isCode(mark) && text.startsWith(mark.toLowerCase()));

/** Whether a text is some currency's sign or code. */
const hasMark = (text: string): boolean =>
  /\p{Sc}|^[A-Za-z]{3}\b|\b[A-Za-z]{3}$|\d[pc]$/u.test(text) && /\d/.test(text);

const markRemedy = (currency: string | undefined): string =>
  currency === undefined
    ? "Write the number alone, without a currency."
    : `This amount is in ${currency}. Change the currency, or write the number alone.`;

const rangeProblem = (decimal: string, range: NumberRange): NumberReading | undefined => {
  if (range !== "any" && decimal.startsWith("-")) {
    return numberProblem(range === "zero_or_more" ? "Use 0 or more." : "Use more than 0.");
  }
  return range === "more_than_zero" && decimal === "0" ? numberProblem("Use more than 0.") : undefined;
};

/**
 * An amount for a text field, which `parseNumber` parses back to the same: the locale's digits and decimal separator
 * without grouping, `1234,5` in German; empty for null.
 */
export const editNumber = (decimal: string | null, locale: string): string =>
  decimal === null ? "" : formatDecimal(decimal, locale, { useGrouping: false });
