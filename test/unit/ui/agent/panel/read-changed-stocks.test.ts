/** What a result of the agent's stock actions changes on the screen, and what is said of it. */
import { describe, expect, it } from "vitest";
import { readChangedStocks, sayChange } from "../../../../../src/ui/agent/panel/read-tool-result.ts";
import { stockOf } from "../../stocks/form/stock-of.ts";

const named = (symbol: string, number: number) =>
  stockOf({ symbol, id: `0193f5c0-0000-7000-8000-00000000000${number}` });

const apple = named("AAPL", 1);
const sap = named("SAP", 2);

describe("a result", () => {
  it("of one stock is that stock", () => {
    expect(readChangedStocks(JSON.stringify({ stock: apple }))).toEqual({ stocks: [apple], deleted: [] });
  });

  it("of several is those that were written", () => {
    const results = [
      { index: 0, outcome: "created", stock: apple },
      { index: 1, outcome: "skipped", stock: sap },
      { index: 2, outcome: "invalid", error: "symbol: use letters" },
    ];
    expect(readChangedStocks(JSON.stringify({ results }))).toEqual({ stocks: [apple], deleted: [] });
  });

  it("of a deletion is the ids", () => {
    expect(readChangedStocks(JSON.stringify({ deleted: [apple.id] }))).toEqual({ stocks: [], deleted: [apple.id] });
  });

  it("that was cut cannot be read", () => {
    expect(readChangedStocks('{"results":[{"index":0,"outc…')).toBeUndefined();
  });
});

describe("what is said", () => {
  it.each([
    ["add-stock", { stocks: [apple], deleted: [] }, "The agent added AAPL."],
    ["update-stock", { stocks: [apple, sap], deleted: [] }, "The agent changed AAPL, SAP."],
    ["delete-stock", { stocks: [], deleted: [apple.id] }, "The agent deleted AAPL."],
    ["delete-stock", { stocks: [], deleted: ["unknown"] }, "The agent deleted 1 stock."],
    ["add-stock", { stocks: [apple, sap, apple, sap], deleted: [] }, "The agent added 4 stocks."],
  ])("after %s: %j", (tool, change, words) => {
    expect(sayChange(tool, change, [apple, sap])).toBe(words);
  });
});
