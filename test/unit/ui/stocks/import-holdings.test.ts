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

describe("what is held, and what a share of it cost", () => {
  it("is read from Schwab's positions, whose headers are abbreviated before they are spelled out", () => {
    const text = `"Positions for account Individual ...123 as of 09:32 AM ET, 2026/03/05"

"Symbol","Description","Qty (Quantity)","Price","Mkt Val (Market Value)","Cost/Share","Cost Basis"
"AAPL","APPLE INC","10","190.00","$1,900.00","$150.00","$1,500.00"`;
    expect(lines(text)).toEqual([{ symbol: "AAPL", name: "APPLE INC", quantity: "10", avgCost: "150" }]);
  });

  it("is no total: Fidelity has both, Interactive Brokers three kinds of prices", () => {
    expect(lines("Symbol,Quantity,Cost Basis Total,Average Cost Basis\nAAPL,10,$1500.00,$150.00")).toEqual([
      { symbol: "AAPL", quantity: "10", avgCost: "150" },
    ]);
    const flex = `"CurrencyPrimary","Symbol","Quantity","MarkPrice","OpenPrice","CostBasisPrice","CostBasisMoney"
"USD","AAPL","10","190","149","150","1500"`;
    expect(lines(flex)).toEqual([
      {
        ...{ symbol: "AAPL", currency: "USD", quantity: "10", avgCost: "150" },
        ...{ lastPrice: "190", lastPriceSource: "import" },
      },
    ]);
  });

  it.each(["Qty (Price)", "Quantity (old)", "Value (Quantity)"])("is not read from %s", (header) => {
    expect(lines(`Symbol,${header}\nAAPL,10`)).toEqual([{ symbol: "AAPL" }]);
  });
});
