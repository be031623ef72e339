/** What brokers export as holdings: which column is which, and which lines are no stocks. */
import { describe, expect, it } from "vitest";
import type { ImportChoices } from "../../../../src/ui/stocks/import/read/import-choices.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

/** What each line becomes, without those above a header, headers and empty ones. */
const lines = (text: string, choices?: ImportChoices): unknown[] => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind === "refused") throw new Error(reading.problem);
  return reading.rows.flatMap<unknown>((row) => {
    if (row.kind === "draft") return [row.draft];
    if (row.kind === "problem") return [row.problem];
    return row.kind === "skipped" && !/header|Empty/i.test(row.reason) ? [row.reason] : [];
  });
};

describe("a column of stocks, instruments or securities", () => {
  const apple = { symbol: "AAPL", name: "Apple", quantity: "10" };

  it.each([
    "Stock,Ticker,Shares\nApple,AAPL,10",
    "Symbol,Instrument,Shares\nAAPL,Apple,10",
    "Wertpapier;Symbol;Stück\nApple;AAPL;10",
  ])("has the names where another one has the symbols: %j", (text) => {
    expect(lines(text)).toEqual([apple]);
  });

  it("has the symbols where no other one does, and is left out beside symbols and names", () => {
    expect(lines("Instrument,Qty.\nINFY,10")).toEqual([{ symbol: "INFY", quantity: "10" }]);
    expect(lines("Stock,Symbol,Name,Shares\nx,AAPL,Apple,10")).toEqual([apple]);
    expect(lines("Stock,Symbol,Shares\nAAPL,x y,10", { mapping: { 0: "symbol" } })).toEqual([
      { symbol: "AAPL", quantity: "10" },
    ]);
  });
});
