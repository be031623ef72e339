/** One line that says a whole stock. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuickAdd } from "../../../../src/ui/stocks/form/quick-add.ts";

describe("a line", () => {
  it.each([
    ["AAPL", { symbol: "AAPL" }],
    [" aapl ", { symbol: "AAPL" }],
    [
      "AAPL 10 @ 180.5 USD #tech",
      { symbol: "AAPL", quantity: "10", avgCost: "180.5", currency: "USD", tags: ["tech"] },
    ],
    ["AAPL 1,000", { symbol: "AAPL", quantity: "1000" }],
    [
      "VOD.L 100@70.5 GBp #uk #x@y",
      { symbol: "VOD.L", quantity: "100", avgCost: "70.5", currency: "GBX", tags: ["uk", "x@y"] },
    ],
    ["AAPL eur #a 5", { symbol: "AAPL", quantity: "5", currency: "EUR", tags: ["a"] }],
    ["AAPL 5 @ $7 USD", { symbol: "AAPL", quantity: "5", avgCost: "7", currency: "USD" }],
    ["NASDAQ:AAPL", { symbol: "AAPL", exchange: "XNAS" }],
    ["XLON:VOD", { symbol: "VOD", exchange: "XLON" }],
    ["TRY 5", { symbol: "TRY", quantity: "5" }],
    ["^GSPC", { symbol: "^GSPC" }],
  ])("%j is a stock", (line, draft) => {
    expect(readQuickAdd(line, "en-US")).toEqual({ kind: "draft", draft, notes: [] });
  });

  it.each([
    ["$$CASH", "Symbol: use 1 to 32 letters, digits or . - ^ = /."],
    ["AAPL Inc", "“Inc” is not understood. Write a line such as AAPL 10 @ 180.5 USD #tech."],
    ["AAPL 10 20", "“20” is not understood. Write a line such as AAPL 10 @ 180.5 USD #tech."],
    ["AAPL 10 USD EUR", "“EUR” is not understood. Write a line such as AAPL 10 @ 180.5 USD #tech."],
    ["AAPL 10 @", "“@” is not understood. Write a line such as AAPL 10 @ 180.5 USD #tech."],
    ["AAPL @ 5", "The price after @ is what you paid per share. Write the quantity before it: AAPL 10 @ 180.5."],
    ["AAPL 0 @ 5", "A price after @ needs a quantity above 0."],
    ["AAPL -5", "Quantity: Use 0 or more."],
    ["AAPL 1,23,4", "Quantity: 1,23,4 has a separator in the wrong place. Write a number such as 1234.5."],
    ["AAPL 5 @ €7 USD", "Price: This amount is in USD. Change the currency, or write the number alone."],
    ["AAPL #", "Write a tag of 1 to 32 characters after each #."],
  ])("%j is a problem: %s", (line, problem) => {
    expect(readQuickAdd(line, "en-US")).toEqual({ kind: "problem", problem });
  });

  it("has its amounts in the locale's spelling", () => {
    expect(readQuickAdd("SAP 1.000 @ 180,50 EUR", "de-DE")).toMatchObject({
      draft: { quantity: "1000", avgCost: "180.5" },
    });
  });

  it("of a market that is not known for certain says so and leaves it out", () => {
    expect(readQuickAdd("TSE:RY", "en-US")).toEqual({
      kind: "draft",
      draft: { symbol: "RY" },
      notes: ["TSE is not a known market code; the exchange is left empty."],
    });
  });

  it("without anything is empty, and any other text has an answer", () => {
    expect(readQuickAdd("  ", "en-US")).toEqual({ kind: "empty" });
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."AB1.,:@#$ €") }));
    fc.assert(
      fc.property(texts, (text) => {
        expect(["draft", "empty", "problem"]).toContain(readQuickAdd(text, "en-US").kind);
      }),
    );
  });
});

it.each(["AAPL 10 @ 1,234 USD", "AAPL 10 @ 1.234 USD"])("%j could mean either in the English of Germany", (line) => {
  expect(readQuickAdd(line, "en-DE")).toMatchObject({ kind: "problem" });
  expect(readQuickAdd("AAPL 10 @ 180,5 USD", "en-DE")).toMatchObject({ draft: { avgCost: "180.5" } });
});
