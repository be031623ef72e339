/** What the list draws beside its rows: shares of a value, the place between two targets. */
import { describe, expect, it } from "vitest";
import { allocationOf, gainPercent } from "../../../../../src/ui/stocks/list/allocation.ts";
import { targetPlace } from "../../../../../src/ui/stocks/list/target-place.ts";
import { stockOf } from "../dialogs/stock-of.ts";

describe("the allocation", () => {
  const held = (symbol: string, marketValue: string | null, currency = "GBP") =>
    stockOf({ symbol, marketValue, currency });

  it("names the largest and counts hundredths into their currency", () => {
    const stocks = [held("P", "50"), held("X", "30000", "GBX"), held("U", "900", "USD"), held("N", null)];
    expect(allocationOf(stocks, "GBP")).toEqual([
      { label: "X", share: 300 / 350 },
      { label: "P", share: 50 / 350 },
    ]);
  });

  it("puts the small ones together", () => {
    const stocks = ["10", "20", "30", "40", "50", "50"].map((value, index) => held(`S${index}`, value));
    expect(allocationOf(stocks, "GBP").map(({ label, share }) => [label, share])).toEqual([
      ["S4", 0.25],
      ["S5", 0.25],
      ["S3", 0.2],
      ["S2", 0.15],
      ["others", 0.15],
    ]);
  });

  it("is empty without a value", () => {
    expect(allocationOf([held("N", null), held("Z", "0")], "GBP")).toEqual([]);
  });

  it("has a gain of what was paid where both are known", () => {
    const stocks = [
      stockOf({ currency: "GBX", gain: "5000", costBasis: "10000" }),
      stockOf({ currency: "GBP", gain: null, costBasis: "999" }),
    ];
    expect([gainPercent(stocks, "GBP", "50"), gainPercent([], "GBP", "50"), gainPercent(stocks, "GBP", null)]).toEqual([
      "50.0000",
      null,
      null,
    ]);
  });
});

describe("the place between targets", () => {
  it.each([
    ["150", "100", "200", 0.5],
    ["90", "100", "200", 0],
    ["250", "100", "200", 1],
    ["125", "100", null, 0.5],
    ["75", null, "100", 0.5],
    ["100", "100", "100", 1],
    [null, "100", "200", undefined],
    ["100", null, null, undefined],
  ])("of %s from %s to %s is %s", (lastPrice, targetLow, targetHigh, expected) => {
    expect(targetPlace(stockOf({ lastPrice, targetLow, targetHigh }))).toBe(expected);
  });
});
