/** The signs and codes that may be beside an amount: only those of its own currency. */
import { asciiDigits } from "./ascii-digits.ts";

/** Invisible marks for text direction, which come along with copied numbers. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Typed text normalized to ASCII digits, `-`, `'` and single spaces, and trimmed. Characters such as `½` and `²` stay:
 * otherwise `10²` would become 102.
 */
export const plainTyping = (text: string): string =>
  asciiDigits(text)
    .replace(/[’‘ʼ´`′]/g, "'")
    .replace(/[^\p{No}\p{Nl}]+/gu, (part) => part.normalize("NFKC"))
    .replace(DIRECTION_MARKS, "")
    .replace(/[−‒–﹣]/g, "-")
    .replace(/\s+/g, " ")
    .trim();

/** Signs of subunits, which `Intl` does not know. Never the main unit's sign: `£5` is 500 GBX. */
const HUNDREDTH_MARKS: ReadonlyMap<string, readonly string[]> = new Map([
  ["GBX", ["GBp", "p"]],
  ["ZAC", ["ZAc", "c"]],
  ["ILA", []],
]);

const symbolOf = (locale: string, currency: string, currencyDisplay: "symbol" | "narrowSymbol"): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay })
    .formatToParts(0)
    .filter(({ type }) => type === "currency")
    .map(({ value }) => value)
    .join("");

const known = new Map<string, readonly string[]>();

/** `US$`, `$` and `USD` for USD; longest first. Code and signs as `plainTyping` writes them. */
export const currencyMarks = (currency: string, locale: string): readonly string[] => {
  const key = `${locale} ${currency}`;
  const marks = known.get(key) ?? makeMarks(currency, locale);
  known.set(key, marks);
  return marks;
};

const makeMarks = (currency: string, locale: string): readonly string[] => {
  const signs =
    HUNDREDTH_MARKS.get(currency) ??
    [locale, "en"].flatMap((one) => [symbolOf(one, currency, "symbol"), symbolOf(one, currency, "narrowSymbol")]);
  return [...new Set([currency, ...signs].map(plainTyping))]
    .filter((mark) => mark !== "")
    .sort((a, b) => b.length - a.length);
};
