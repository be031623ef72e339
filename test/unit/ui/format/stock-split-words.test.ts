/** What a split makes of a holding and its targets, in words. */
import { expect, it } from "vitest";
import { splitWords } from "../../../../src/ui/format/stock-split-words.ts";
import { stockOf } from "../stocks/form/stock-of.ts";

const split = (numerator: number, denominator: number) => ({ day: "2026-06-10", numerator, denominator });

it.each([
  [
    { quantity: "25", avgCost: "118.2", targetLow: "120", targetHigh: null, pendingSplit: split(10, 1) },
    "25 × $118.20 becomes 250 × $11.82, target $120.00 becomes $12.00.",
  ],
  [{ quantity: "9", avgCost: null, targetLow: null, targetHigh: null, pendingSplit: split(1, 3) }, "9 becomes 3."],
  [{ quantity: null, avgCost: null, targetLow: null, targetHigh: null, pendingSplit: split(3, 2) }, ""],
  [
    { quantity: "0", avgCost: null, targetLow: "90", targetHigh: "150", pendingSplit: split(3, 2) },
    "target $90.00 becomes $60.00, target $150.00 becomes $100.00.",
  ],
  [
    { quantity: "9000000", avgCost: "0.000005", targetLow: null, targetHigh: null, pendingSplit: split(10, 1) },
    "9,000,000 × $0.000005 becomes 90,000,000 × $0.0000005.",
  ],
])("of %j", (values, words) => {
  expect(splitWords(stockOf(values))).toBe(words);
});
