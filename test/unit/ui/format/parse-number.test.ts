/** Amounts as people type them: what each locale reads, what is refused, and that nothing is ever a float (decision 0040). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMoney, formatPrice } from "../../../../src/ui/format/format-money.ts";
import { formatQuantity } from "../../../../src/ui/format/format-number.ts";
import { editNumber, type NumberRules, parseNumber } from "../../../../src/ui/format/parse-number.ts";

const LOCALES = [
  "en-US",
  "de-DE",
  "fr-FR",
  "de-CH",
  "en-IN",
  "pt-BR",
  "ja-JP",
  "ar-EG",
  "de-AT",
  "sv-SE",
  "fa-IR",
  "es-ES",
];

/** Their numbers and their money have opposite separators: `1.234,5` and `€1,234.5`. */
const ENGLISH_IN_EUROPE = ["en-DE", "en-SE", "en-FI"];

const read = (text: string, locale: string, rules?: NumberRules): string => {
  const reading = parseNumber(text, locale, rules);
  return reading.kind === "number" ? reading.decimal : reading.kind === "empty" ? "(empty)" : reading.problem;
};

describe("a number", () => {
  it.each([
    ["en-US", "1234.5", "1234.5"],
    ["en-US", "1,234", "1234"],
    ["en-US", "1.234", "1.234"],
    ["en-US", "1,234,567.89", "1234567.89"],
    ["en-US", "1.234,56", "1234.56"],
    ["en-US", "12,34,567.8", "1234567.8"],
    ["en-US", "1.234.567", "1234567"],
    ["en-US", "1 234 567", "1234567"],
    ["en-US", "1'234.56", "1234.56"],
    ["en-US", "007.50", "7.5"],
    ["en-US", ".5", "0.5"],
    ["en-US", "5.", "5"],
    ["en-US", "+5", "5"],
    ["en-US", "-0", "0"],
    ["en-US", "−3", "-3"],
    ["en-US", " 5 ", "5"],
    ["en-US", "  ", "(empty)"],
    ["de-DE", "1.234,56", "1234.56"],
    ["de-DE", "1.234", "1234"],
    ["de-DE", "1,234", "1.234"],
    ["de-DE", "1.234.567", "1234567"],
    ["de-DE", "1,234.56", "1234.56"],
    ["fr-FR", "1 234,56", "1234.56"],
    ["fr-FR", "1\u202f234,56", "1234.56"],
    ["fr-FR", "1\u00a0234,56", "1234.56"],
    ["fr-FR", "12.5", "12.5"],
    ["de-CH", "1’234.56", "1234.56"],
    ["de-CH", "1'234,56", "1234.56"],
    ["de-AT", "1.234", "1234"],
    ["en-IN", "12,34,567", "1234567"],
    ["ja-JP", "１，２３４．５", "1234.5"],
    ["ar-EG", "١٬٢٣٤٫٥", "1234.5"],
    ["fa-IR", "\u200e−۱۲٫۵", "-12.5"],
    ["en-US", "123456789012.1234567891", "123456789012.1234567891"],
    ["en-US", "141,5", "141.5"],
    ["en-US", "1,23", "1.23"],
    ["en-US", "1,2345", "1.2345"],
    ["en-US", "1234,567", "1234.567"],
    ["en-US", ",5", "0.5"],
    ["en-US", "0,123", "0.123"],
    ["de-DE", "1.23", "1.23"],
    ["en-DE", "172,455", "172.455"],
  ])("in %s, %j is %s", (locale, text, expected) => {
    expect(read(text, locale)).toBe(expected);
  });

  it.each([
    ["fr-FR", "1.234", "This could be 1234, or 1 and a fraction. Write 1234 or 1,234."],
    ["de-CH", "1,234", "This could be 1234, or 1 and a fraction. Write 1234 or 1.234."],
    ["en-DE", "1.234", "This could be 1234, or 1 and a fraction. Write 1234 or 1,234."],
    ["en-US", "1,23,4", "1,23,4 has a separator in the wrong place. Write a number such as 1234.5."],
    ["en-US", "1.23,456", "1.23,456 has a separator in the wrong place. Write a number such as 1234.5."],
    ["de-DE", "1 23", "1 23 has a separator in the wrong place. Write a number such as 1234,5."],
    ["en-US", "1'234,567.8", "Write a number such as 1234.5."],
    ["en-US", "10²", "Write a number such as 1234.5."],
    ["en-US", "½", "Write a number such as 1234.5."],
    ["en-US", "1e3", "Write a number such as 1234.5."],
    ["en-US", "(5)", "Write a number such as 1234.5."],
    ["en-US", "5%", "Write a number such as 1234.5."],
    ["en-US", "--5", "Write a number such as 1234.5."],
    ["en-US", "ten", "Write a number such as 1234.5."],
    ["en-US", ".", "Write a number such as 1234.5."],
    ["en-US", "1234567890123", "Use at most 12 digits before the decimals."],
    ["en-US", "0.12345678901", "Use at most 10 decimals."],
  ])("in %s, %j is refused: %s", (locale, text, problem) => {
    expect(read(text, locale)).toBe(problem);
  });

  it.each([
    ["USD", "$1,234.50", "1234.5"],
    ["USD", "1,234.50 USD", "1234.5"],
    ["USD", "usd 5", "5"],
    ["USD", "-$5", "-5"],
    ["USD", "$-5", "-5"],
    ["GBX", "70.5p", "70.5"],
    ["USD", "€5", "This amount is in USD. Change the currency, or write the number alone."],
    ["GBX", "£5", "This amount is in GBX. Change the currency, or write the number alone."],
    [undefined, "$5", "Write the number alone, without a currency."],
  ])("in %s, %j is %s", (currency, text, expected) => {
    expect(read(text, "en-US", { currency })).toBe(expected);
  });

  it.each(["€1,234", "1,234 EUR", "€1.234"])("in en-DE, %s beside a currency could mean either", (text) => {
    const problem = "This could be 1234, or 1 and a fraction. Write 1234 or 1,234.";
    expect(read(text, "en-DE", { currency: "EUR" })).toBe(problem);
  });

  it("keeps to its range", () => {
    expect([read("-1", "en", { range: "zero_or_more" }), read("0", "en", { range: "zero_or_more" })]).toEqual([
      "Use 0 or more.",
      "0",
    ]);
    expect([read("0.00", "en", { range: "more_than_zero" }), read("-1", "en", { range: "more_than_zero" })]).toEqual([
      "Use more than 0.",
      "Use more than 0.",
    ]);
  });
});

const locales = fc.constantFrom(...LOCALES);
const decimals = fc
  .tuple(fc.boolean(), fc.stringMatching(/^(0|[1-9]\d{0,11})$/), fc.stringMatching(/^(\d{0,9}[1-9])?$/))
  .map(([isNegative, integer, fraction]) => {
    const plain = fraction === "" ? integer : `${integer}.${fraction}`;
    return isNegative && plain !== "0" ? `-${plain}` : plain;
  });
const typed = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."0123456789.,' \u00a0\u202f-−+$€p²٣٬٫１") }),
);

/** A reading as JSON: the wire's form of an amount, nothing, or a sentence. */
const READING =
  /^\{"kind":("number","decimal":"(?!-0")-?(0|[1-9]\d{0,11})(\.\d{0,9}[1-9])?"|"empty"|"problem","problem":".+\.")\}$/;

describe("any text", () => {
  it("is a canonical decimal, empty, or a problem in words", () => {
    fc.assert(
      fc.property(
        typed,
        fc.constantFrom(...LOCALES, ...ENGLISH_IN_EUROPE),
        fc.constantFrom(undefined, "USD", "GBX", "CHF"),
        (text, locale, currency) => {
          expect(JSON.stringify(parseNumber(text, locale, { currency }))).toMatch(READING);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe("what a locale writes, it reads back to the last digit:", () => {
  it("a quantity", () => {
    fc.assert(
      fc.property(decimals, locales, (one, locale) => {
        expect(read(formatQuantity(one, locale), locale)).toBe(one);
      }),
    );
  });

  it("a price with its currency", () => {
    fc.assert(
      fc.property(
        decimals,
        locales,
        fc.constantFrom("USD", "EUR", "JPY", "GBX", "CHF", "SEK", "INR"),
        (one, locale, currency) => {
          expect(read(formatPrice(one, currency, locale), locale, { currency })).toBe(one);
        },
      ),
    );
  });

  it("an amount in a text field", () => {
    fc.assert(
      fc.property(decimals, fc.constantFrom(...LOCALES, ...ENGLISH_IN_EUROPE), (one, locale) => {
        expect(read(editNumber(one, locale), locale)).toBe(one);
      }),
    );
  });

  it.each(ENGLISH_IN_EUROPE)("three decimals in a text field of %s", (locale) => {
    expect(editNumber("172.455", locale)).toBe("172,455");
    expect(read("172,455", locale, { currency: "EUR" })).toBe("172.455");
  });

  it("a rounded value", () => {
    expect(read(formatMoney("-1234567.895", "USD", "de-DE"), "de-DE", { currency: "USD" })).toBe("-1234567.9");
  });
});
