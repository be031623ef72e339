/** What the list draws beside its rows: shares of a value, the place between two targets. */
import { describe, expect, it } from "vitest";
import { shownHolding, targetPlace } from "../../../../../src/ui/stocks/list/row/row-figures.tsx";
import { allocationOf, partWords } from "../../../../../src/ui/stocks/list/totals/allocation.tsx";
import { stockOf } from "../form/stock-of.ts";

describe("the allocation", () => {
  const held = (symbol: string, marketValue: string | null, currency = "GBP") =>
    stockOf({ symbol, marketValue, currency });

  it("names the largest, counts hundredths into their currency, and compares by rates", () => {
    const stocks = [held("P", "50"), held("X", "30000", "GBX"), held("U", "250", "USD"), held("N", null)];
    expect(
      allocationOf(stocks, { GBP: "0.8", USD: "1.25" }).map(({ label, share }) => [label, share.toFixed(6)]),
    ).toEqual([
      ["X", "0.588235"],
      ["U", "0.313725"],
      ["P", "0.098039"],
    ]);
  });

  it("leaves out what has no rate", () => {
    const parts = allocationOf([held("P", "50"), held("T", "1", "TWD")], { GBP: "0.8" });
    expect(parts.map(({ label, share }) => [label, share])).toEqual([["P", 1]]);
  });

  it("compares no amounts of two currencies while there is no rate at all", () => {
    const stocks = [held("J", "150000", "JPY"), held("P", "1000"), held("X", "5000", "GBX")];
    expect(allocationOf(stocks, {})).toEqual([]);
    const pounds = allocationOf([...stocks.slice(1), held("Z", "0", "JPY")], {});
    expect(pounds.map(({ label, share }) => [label, share.toFixed(4)])).toEqual([
      ["P", "0.9524"],
      ["X", "0.0476"],
    ]);
  });

  it("puts the small ones together", () => {
    const stocks = ["10", "20", "30", "40", "50", "50"].map((value, index) => held(`S${index}`, value));
    expect(allocationOf(stocks, {}).map(({ label, share }) => [label, share])).toEqual([
      ["S4", 0.25],
      ["S5", 0.25],
      ["S3", 0.2],
      ["S2", 0.15],
      ["others", 0.15],
    ]);
  });

  it("says of each part what it is", () => {
    const stocks = ["10", "20", "30", "40", "50", "60"].map((value, index) =>
      stockOf({ symbol: `S${index}`, name: `S${index}`, marketValue: value, currency: "GBP" }),
    );
    const alpha = stockOf({ symbol: "A", name: "Alpha", marketValue: "70" });
    const words = allocationOf([...stocks, alpha], { GBP: "1", USD: "1" }).map(partWords);
    expect(words).toEqual(["Alpha: $70.00", "£60.00", "£50.00", "£40.00", "3 stocks: S2, S1, S0"]);
  });

  it("names the market, or else the currency, where two parts have one symbol", () => {
    const twice = [
      stockOf({ symbol: "SHEL", exchange: "XLON", marketValue: "30" }),
      stockOf({ symbol: "SHEL", exchange: null, currency: "EUR", marketValue: "20" }),
    ];
    const rates = { USD: "1", EUR: "1" };
    expect(allocationOf([...twice, held("A", "10", "EUR")], rates).map(({ label }) => label)).toEqual([
      "SHEL XLON",
      "SHEL EUR",
      "A",
    ]);
  });

  it("is empty without a value", () => {
    expect(allocationOf([held("N", null), held("Z", "0")], {})).toEqual([]);
  });
});

describe("what a holding was bought at, where room is short", () => {
  it.each([
    ["USD", "60 @ 15,000.00"],
    ["GBX", "60 @ 15,000p"],
    ["ZAC", "60 @ 15,000c"],
    ["ILA", "60 @ ILA 15K"],
  ])("says in %s that it is in hundredths if it is: %s", (currency, text) => {
    const shown = shownHolding(stockOf({ quantity: "60", currency }), "15000", 14, " @ ");
    expect(typeof shown === "string" ? shown : shown.props.children.replace("\u00a0", " ")).toBe(text);
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
