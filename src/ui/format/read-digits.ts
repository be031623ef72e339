/** Parses the digits and separators of a number exactly; what could mean two numbers is refused (decision 0040). */
import { canonicalDecimal } from "../../contract/stocks/canonical-decimal.ts";

/** A `.` or `,` may be in both sets or in neither: then only its position in the number can tell. */
export type Separators = {
  readonly decimals: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** The separators of an amount beside a currency, where they differ. */
  readonly ofMoney?: Separators;
};

/** `1,234.5` */
export const POINT_SEPARATORS: Separators = { decimals: new Set(["."]), groups: new Set([","]) };

/** `1.234,5` */
export const COMMA_SEPARATORS: Separators = { decimals: new Set([","]), groups: new Set(["."]) };

/** Neither is known, so `1,234` and `1.234` are refused. */
export const UNKNOWN_SEPARATORS: Separators = { decimals: new Set(), groups: new Set() };

const known = new Map<string, Separators>();

/** The separators of a locale, for plain numbers and for money: Austria groups the two differently. */
export const localeSeparators = (locale: string): Separators => {
  const separators = known.get(locale) ?? readSeparators(locale);
  known.set(locale, separators);
  return separators;
};

const readSeparators = (locale: string): Separators => {
  const parts = [{}, { style: "currency", currency: "EUR" } as const].flatMap((options) =>
    new Intl.NumberFormat(locale, options).formatToParts(1234567.89),
  );
  const ofType = (type: Intl.NumberFormatPartTypes): ReadonlySet<string> =>
    new Set(parts.filter((part) => part.type === type).map((part) => part.value));
  const ofMoney = { decimals: ofType("decimal"), groups: ofType("group") };
  // English in Europe writes `1.234,5`, but `€1,234.5`. A field shows plain numbers, so there a comma is before decimals.
  const [own] = ofMoney.decimals;
  return { ...ofMoney, groups: new Set([...ofMoney.groups].filter((group) => group !== own)), ofMoney };
};

/** Most digits of an amount (api.md §5). */
const MAX_INTEGER_DIGITS = 12;

const MAX_FRACTION_DIGITS = 10;

/** `decimal` is canonical. A `problem` says what to do about it, without naming the field. */
export type NumberReading =
  | { readonly kind: "number"; readonly decimal: string }
  | { readonly kind: "empty" }
  | { readonly kind: "problem"; readonly problem: string };

/** A result that says what to do instead. */
export const numberProblem = (problem: string): NumberReading => ({ kind: "problem", problem });

/** The message for a text that is not a number. */
export const numberRemedy = ({ decimals }: Separators): string =>
  `Write a number such as 1234${ownDecimal(decimals)}5.`;

/** Whether the text before the decimals is grouped as people group: by three, or the Indian way. */
const isGrouped = (parts: readonly string[]): boolean => {
  const [first = "", ...rest] = parts;
  const last = rest.at(-1) ?? "";
  if (!/^[1-9]\d{0,2}$/.test(first) || last.length !== 3) return false;
  const between = rest.slice(0, -1);
  return (
    between.every(({ length }) => length === 3) || (first.length < 3 && between.every(({ length }) => length === 2))
  );
};

const finish = (integer: string, fraction: string): NumberReading => {
  const decimal = canonicalDecimal(fraction === "" ? integer || "0" : `${integer || "0"}.${fraction}`);
  const [whole = "", decimals = ""] = decimal.split(".");
  if (whole.length > MAX_INTEGER_DIGITS) return numberProblem("Use at most 12 digits before the decimals.");
  if (decimals.length > MAX_FRACTION_DIGITS) return numberProblem("Use at most 10 decimals.");
  return { kind: "number", decimal };
};

/** Text without a sign: ASCII digits, and separators between or beside them. */
export const readDigits = (text: string, separators: Separators): NumberReading => {
  if (!/^[\d.,' ٬٫]+$/.test(text) || !/\d/.test(text)) return numberProblem(numberRemedy(separators));
  const [first, second, third] = new Set(text.replace(/\d/g, ""));
  if (first === undefined) return finish(text, "");
  if (second === undefined) return readOneKind(text, first, separators);
  return third === undefined ? readTwoKinds(text, first, second, separators) : numberProblem(numberRemedy(separators));
};

/** With two kinds of separators, the last one comes before the decimals, in any locale. */
const readTwoKinds = (text: string, group: string, decimal: string, separators: Separators): NumberReading => {
  const [integer = "", fraction = "", ...more] = text.split(decimal);
  const isClear = /[.,٫]/.test(decimal) && group !== "٫" && more.length === 0 && /^\d+$/.test(fraction);
  return isClear && isGrouped(integer.split(group))
    ? finish(integer.replaceAll(group, ""), fraction)
    : numberProblem(misplaced(text, separators));
};

const readOneKind = (text: string, kind: string, separators: Separators): NumberReading => {
  const { decimals, groups } = separators;
  const parts = text.split(kind);
  const [integer = "", fraction = ""] = parts;
  const isGroup = isGrouped(parts);
  if (parts.length > 2 || /[' ٬]/.test(kind)) {
    return isGroup ? finish(parts.join(""), "") : numberProblem(misplaced(text, separators));
  }
  const isOwnDecimal = kind === "٫" || (decimals.has(kind) && !groups.has(kind));
  const isOwnGroup = groups.has(kind) && !decimals.has(kind);
  // `141,5` can only have decimals after the comma, even where commas group.
  if (isOwnDecimal || !isGroup) return finish(integer, fraction);
  return isOwnGroup ? finish(parts.join(""), "") : numberProblem(ambiguous(integer, fraction, decimals));
};

/** The separator to recommend. */
const ownDecimal = (decimals: ReadonlySet<string>): string => [...decimals][0] ?? ".";

const misplaced = (text: string, separators: Separators): string =>
  `${text} has a separator in the wrong place. ${numberRemedy(separators)}`;

const ambiguous = (integer: string, fraction: string, decimals: ReadonlySet<string>): string => {
  const whole = `${integer}${fraction}`;
  const remedy =
    decimals.size === 0
      ? "Choose how this column writes decimals."
      : `Write ${whole} or ${integer}${ownDecimal(decimals)}${fraction}.`;
  return `This could be ${whole}, or ${integer} and a fraction. ${remedy}`;
};
