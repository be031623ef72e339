/** How many there are of something, with the word in its right number. */
import { formatDecimal } from "./format-decimal.ts";

const rules = new Map<string, Intl.PluralRules>();

const ruleFor = (locale: string): Intl.PluralRules => {
  const rule = rules.get(locale) ?? new Intl.PluralRules(locale);
  rules.set(locale, rule);
  return rule;
};

/** `1 stock`, `3 stocks`, `1,200 stocks`. The words are English, hence its rule; the digits are the locale's. */
export const formatCount = (count: number, one: string, many: string, locale: string): string =>
  `${formatDecimal(String(count), locale)} ${ruleFor("en").select(count) === "one" ? one : many}`;
