/** Totals per currency: exact, hundredths folded into their currency, null where nothing is known (api.md §5). */
import { expect, it } from "vitest";
import { sumTotals } from "../../../src/actions/stock-figures.ts";

it("an empty list has no totals", () => {
  expect(sumTotals([])).toEqual([]);
});

it("sums are exact where floats are not", () => {
  expect(
    sumTotals([
      ["USD", "0.1", "0.1", "0"],
      ["USD", "0.2", "0.2", "0"],
      ["USD", "123456789012345678.0000000001", null, null],
    ]),
  ).toEqual([{ currency: "USD", cost: "123456789012345678.3000000001", value: "0.3", gain: "0" }]);
});

it("pence, cents and agorot count into pounds, rand and shekels", () => {
  expect(
    sumTotals([
      ["ILA", "1", null, null],
      ["GBX", "150", "12345.67", "12195.67"],
      ["GBP", "1", "2", "1"],
      ["ZAC", null, "0.00000000005", null],
    ]),
  ).toEqual([
    { currency: "GBP", cost: "2.5", value: "125.4567", gain: "122.9567" },
    { currency: "ILS", cost: "0.01", value: null, gain: null },
    { currency: "ZAR", cost: null, value: "0.0000000000005", gain: null },
  ]);
});

it("a holding without cost and price adds no currency", () => {
  expect(sumTotals([["EUR", null, null, null]])).toEqual([]);
});
