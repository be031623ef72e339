/** How old a price is, in words. */
import { describe, expect, it } from "vitest";
import { ageWords, priceWords } from "../../../../src/ui/format/price-age.ts";
import { stockOf } from "../stocks/form/stock-of.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");

describe("an age", () => {
  it.each([
    ["2026-11-23T11:59:30Z", "just now"],
    ["2026-11-23T12:00:30Z", "just now"],
    ["2026-11-23T11:45:00Z", "15 min ago"],
    ["2026-11-23T10:00:00Z", "2 h ago"],
    ["2026-11-22T12:00:00Z", "1 day ago"],
    ["2026-11-20T11:00:00Z", "3 days ago"],
    ["2026-09-24T12:00:00Z", "60 days ago"],
    ["2026-06-20T11:00:00Z", "5 months ago"],
  ])("of %s is %s", (iso, words) => {
    expect(ageWords(iso, NOW)).toBe(words);
  });
});

it.each([
  [new Date(2026, 10, 19, 20), new Date(2026, 10, 21, 19), "2 days"],
  [new Date(2026, 10, 20, 0, 1), new Date(2026, 10, 21, 23), "1 day"],
  [new Date(2026, 10, 14, 23), new Date(2026, 10, 21, 20), "7 days"],
])("the age of %s counts, at %s, by the days of the person's calendar: %s", (at, now, words) => {
  const lastPriceAt = at.toISOString();
  expect(ageWords(lastPriceAt, now.getTime())).toBe(`${words} ago`);
  const stale = stockOf({ pendingSplit: null, priceState: "stale", lastPriceAt });
  expect(priceWords(stale, now.getTime(), false)).toBe(`${words} old`);
});

describe("a price's words", () => {
  const SPLIT = { day: "2026-11-20", numerator: 10, denominator: 1 };
  it.each([
    [{ priceState: "live", lastPriceAt: "2026-11-23T11:45:00Z" }, "15 min ago"],
    [{ priceState: "delayed", lastPriceAt: "2026-11-23T10:00:00Z" }, "2 h ago"],
    [{ priceState: "close", lastPriceAt: "2026-11-20T20:30:00Z" }, "close, Fri"],
    [{ priceState: "close", lastPriceAt: "2026-11-14T20:30:00Z" }, "close, 14 Nov"],
    [{ priceState: "stale", lastPriceAt: "2026-11-20T11:00:00Z" }, "3 days old"],
    [{ priceState: "stale", lastPriceAt: "2026-11-22T20:00:00Z" }, "1 day old"],
    [{ priceState: "stale", lastPriceAt: "2026-11-25T12:00:00Z" }, "1 day old"],
    [{ priceState: "manual", lastPriceAt: "2026-11-23T10:00:00Z", lastPriceSource: "manual" }, "by hand, 2 h ago"],
    [{ priceState: "manual", lastPriceAt: "2026-11-23T10:00:00Z", lastPriceSource: "import" }, "imported, 2 h ago"],
    [{ priceState: "manual", lastPriceAt: "2026-11-23T10:00:00Z", lastPriceSource: "broker" }, "broker, 2 h ago"],
    [{ priceState: "pending", lastPriceAt: "2026-11-23T10:00:00Z" }, "2 h ago, held"],
    [{ priceState: "pending", lastPriceAt: "2026-11-23T10:00:00Z", pendingSplit: SPLIT }, "2 h ago, split?"],
    [{ priceState: "pending", lastPriceAt: null }, "held"],
    [{ priceState: "none", lastPriceAt: null }, ""],
  ])("of %j are %s", (values, words) => {
    expect(priceWords(stockOf({ pendingSplit: null, ...values }), NOW, false)).toBe(words);
  });
});
