/** Figures as they are shown: exact, with the true minus, and a dash for what is unknown. */
import { describe, expect, it } from "vitest";
import { fitMoney, fitPrice, formatMoney, formatPrice } from "../../../../src/ui/format/format-money.ts";
import { formatCount, formatDecimal, formatPercent, formatQuantity } from "../../../../src/ui/format/format-number.ts";
import { formatRelativeTime } from "../../../../src/ui/format/format-relative-time.ts";
import { formatCost, formatExactCost } from "../../../../src/ui/format/format-usage.ts";
import { editNumber } from "../../../../src/ui/format/parse-number.ts";

describe("a price", () => {
  it.each([
    ["180.5", "USD", "en-US", "$180.50"],
    ["0.0123", "USD", "en-US", "$0.0123"],
    ["0.0000000001", "USD", "en-US", "$0.0000000001"],
    ["123456789012.1234567891", "USD", "en-US", "$123,456,789,012.1234567891"],
    ["2500", "JPY", "en-US", "¥2,500"],
    ["70.5", "GBX", "en-US", "GBX\u00a070.5"],
    ["250", "ZAC", "en-US", "ZAC\u00a0250"],
    ["1234.5", "EUR", "de-DE", "1.234,50\u00a0€"],
    ["0", "USD", "en-US", "$0.00"],
  ])("of %s %s is in %s %s", (price, currency, locale, text) => {
    expect(formatPrice(price, currency, locale)).toBe(text);
  });
});

describe("an amount with little room", () => {
  it.each([
    ["1234.5", 9, "$1,234.50"],
    ["1234.5", 8, "$1,235"],
    ["1234567.5", 8, "$1.23M"],
    ["-1234567.5", 11, "−$1,234,568"],
  ])("of %s in %i characters is %s", (amount, room, text) => {
    expect(fitMoney(amount, "USD", "en-US", room, false)).toBe(text);
  });

  it.each([
    ["1400.1234", 10, "$1,400.12"],
    ["0.0000000034", 13, "$0.0000000034"],
    ["0.001234567", 10, "$0.00123"],
    ["0.0000000034", 10, "<$0.0001"],
    ["123456789012", 8, "$123B"],
  ])("a price of %s in %i characters is %s", (price, room, text) => {
    expect(fitPrice(price, "USD", "en-US", room)).toBe(text);
  });

  it.each([
    ["0.00123", "CHF\u00a00.00123"],
    ["0.0001", "CHF\u00a00.0001"],
    ["0.00009", "<CHF\u00a00.0001"],
  ])("a price of %s francs is not said to be less than it is", (price, text) => {
    expect(fitPrice(price, "CHF", "en-US", 9)).toBe(text);
  });

  it.each([
    ["53550.5", "£535.51"],
    ["-5", "−£0.05"],
    ["304500", "£3,045.00"],
    ["0", "£0.00"],
  ])("of %s pence is %s", (amount, text) => {
    expect(formatMoney(amount, "GBX", "en-US")).toBe(text);
  });
});

describe("what a model cost", () => {
  it.each([
    ["0", "$0.00"],
    ["0.00004", "<$0.0001"],
    ["0.0001", "$0.0001"],
    ["0.00055", "$0.0006"],
    ["0.0042173", "$0.0042"],
    ["0.004", "$0.0040"],
    ["0.0151", "$0.015"],
    ["0.0999", "$0.10"],
    ["0.4837", "$0.48"],
    ["0.5", "$0.50"],
    ["1", "$1.00"],
    ["12.345", "$12.35"],
    ["1234.5", "$1,234.50"],
  ])("%s dollars, is short", (costUsd, text) => {
    expect(formatCost(costUsd, "en-US")).toBe(text);
  });

  it.each([
    ["0.00004", "$0.00004"],
    ["0.00419273645", "$0.00419273645"],
    ["12", "$12.00"],
  ])("%s dollars, is exact", (costUsd, text) => {
    expect(formatExactCost(costUsd, "en-US")).toBe(text);
  });

  it("is written as the locale does", () => {
    expect([formatCost("0.0042173", "de-DE"), formatCost("0.00004", "de-DE")]).toEqual([
      "0,0042\u00a0$",
      "<0,0001\u00a0$",
    ]);
  });
});

describe("a value", () => {
  it.each([
    ["1234.567", false, "$1,234.57"],
    ["-1234.567", false, "−$1,234.57"],
    ["1234.567", true, "+$1,234.57"],
    ["-0.001", false, "$0.00"],
    ["-0.001", true, "$0.00"],
    ["99999999999999999999.99", false, "$99,999,999,999,999,999,999.99"],
  ])("of %s, signed: %s, is %s", (amount, isSigned, text) => {
    expect(formatMoney(amount, "USD", "en-US", { isSigned })).toBe(text);
  });
});

describe("a percentage", () => {
  it.each([
    ["12.345", "en-US", "+12.35%"],
    ["-0.5", "en-US", "−0.50%"],
    ["0", "en-US", "0.00%"],
    ["-0.001", "en-US", "0.00%"],
    ["1234.5", "de-DE", "+1.234,50\u00a0%"],
  ])("of %s is in %s %s", (percent, locale, text) => {
    expect(formatPercent(percent, locale)).toBe(text);
  });
});

it("what is unknown is a dash, never 0", () => {
  const shown = [
    formatPrice(null, "USD", "en"),
    formatMoney(null, "USD", "en"),
    formatPercent(null, "en"),
    formatQuantity(null, "en"),
  ];
  expect(shown).toEqual(["–", "–", "–", "–"]);
});

it("a text that is no decimal comes back as it is", () => {
  expect(formatDecimal("1e5", "en")).toBe("1e5");
});

it("a text field has no groups, and nothing for null", () => {
  expect([editNumber("1234567.5", "de-DE"), editNumber("1234.5", "en-US"), editNumber(null, "en")]).toEqual([
    "1234567,5",
    "1234.5",
    "",
  ]);
});

it("a count has its word in the right number", () => {
  expect([0, 1, 2, 1200].map((count) => formatCount(count, "stock", "stocks", "en"))).toEqual([
    "0 stocks",
    "1 stock",
    "2 stocks",
    "1,200 stocks",
  ]);
});

describe("a time", () => {
  it.each([
    ["2026-11-21T11:59:30Z", "just now"],
    ["2026-11-21T12:00:30Z", "just now"],
    ["2026-11-21T11:55:00Z", "5 minutes ago"],
    ["2026-11-21T09:00:00Z", "3 hours ago"],
    ["2026-11-20T12:00:00Z", "yesterday"],
    ["2026-11-18T12:00:00Z", "3 days ago"],
    ["2026-11-01T12:00:00Z", "2 weeks ago"],
    ["2024-11-01T12:00:00Z", "2 years ago"],
  ])("at %s is %s", (iso, text) => {
    expect(formatRelativeTime(iso, new Date("2026-11-21T12:00:00Z"), "en")).toEqual({ text, iso });
  });

  it.each([
    // 47 hours.
    [new Date(2026, 10, 19, 20), new Date(2026, 10, 21, 19), "2 days ago"],
    [new Date(2026, 10, 19, 23, 59), new Date(2026, 10, 21, 0, 1), "2 days ago"],
    [new Date(2026, 10, 20, 0, 1), new Date(2026, 10, 21, 23), "yesterday"],
    [new Date(2026, 10, 14, 23), new Date(2026, 10, 21, 20), "7 days ago"],
  ])("at %s counts, at %s, by the days of the person's calendar: %s", (at, now, text) => {
    expect(formatRelativeTime(at.toISOString(), now, "en").text).toBe(text);
  });

  it("that is unknown is a dash", () => {
    const now = new Date("2026-11-21T12:00:00Z");
    expect([formatRelativeTime(null, now, "en"), formatRelativeTime("soon", now, "en")]).toEqual([
      { text: "–", iso: null },
      { text: "–", iso: null },
    ]);
  });
});
