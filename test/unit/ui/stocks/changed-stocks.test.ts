/** Which of two records of a stock is the newer one: prices come without a new version (decision 0103). */
import { expect, it } from "vitest";
import { applyChange, isOlder } from "../../../../src/ui/stocks/store/changed-stocks.ts";
import { stockOf } from "./form/stock-of.ts";

const priced = (version: number, minute: number, priceState: "live" | "manual" = "live") =>
  stockOf({ version, priceState, lastPriceAt: `2026-11-20T15:${minute}:00.000Z` });

it.each([
  ["an earlier version, however new its price", priced(1, 59), priced(2, 10), true],
  ["the same version with an earlier price", priced(2, 10), priced(2, 11), true],
  ["not the same version with a later price", priced(2, 12), priced(2, 11), false],
  ["not the same version and price", priced(2, 11), priced(2, 11), false],
  ["a typed price, where the source's has come since", priced(2, 59, "manual"), priced(2, 11), true],
])("older is %s", (_, one, other, expected) => {
  expect(isOlder(one, other)).toBe(expected);
  expect(applyChange([other], { stocks: [one], deleted: [] })).toEqual([expected ? other : one]);
});
