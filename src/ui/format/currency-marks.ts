/** The signs that may stand beside an amount: those of its own currency and no others. */
import { plainTyping } from "./plain-typing.ts";

/** Signs of the hundredths, which `Intl` does not know. Never the sign of the whole: `£5` is 500 GBX. */
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
