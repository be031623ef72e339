/** Lists of positions: their ids are no quantities, and what is closed is not held. */
import { describe, expect, it } from "vitest";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

/** What each line below the header becomes. */
const lines = (text: string): unknown[] => {
  const reading = readImport(text, "en-US");
  if (reading.kind !== "table") throw new Error(`Read as ${reading.kind}.`);
  return reading.rows.slice(1).map((row) => {
    if (row.kind === "draft") return row.draft;
    if (row.kind === "problem") return row.problem;
    return row.kind === "skipped" ? row.reason : row.kind;
  });
};

describe("a column “Position”", () => {
  const apple = { symbol: "AAPL", quantity: "10", avgCost: "150.5", lastPrice: "190", lastPriceSource: "import" };

  it("has the ids of XTB's positions, whose volume is the quantity and whose open price the cost", () => {
    const header = "Position,Symbol,Type,Volume,Open time,Open price,Market price";
    const row = "1273484112,AAPL.US,BUY,10,05.01.2026 15:30:00,150.5,190";
    expect(lines(`${header}\n${row}`)).toEqual([{ ...apple, symbol: "AAPL.US" }]);
    const untyped = "Position,Symbol,Volume,Open price,Market price\n1273484112,AAPL,10,150.5,190";
    expect(lines(untyped)).toEqual([apple]);
  });

  it("yields to any other that counts, and counts where there is none", () => {
    expect(lines("Position,Symbol,Shares\n1,AAPL,10")).toEqual([{ symbol: "AAPL", quantity: "10" }]);
    expect(lines("Position,Symbol,Volume\n10,AAPL,5000")).toEqual([{ symbol: "AAPL", quantity: "10" }]);
    const signed = "Position,Date,Symbol,Quantity,Price\n1,2026-01-05,AAPL,10,150.5\n2,2026-02-05,AAPL,-4,190";
    expect(lines(signed)).toEqual([{ symbol: "AAPL", quantity: "6", avgCost: "150.5" }, "merged"]);
  });
});

describe("a position that is closed is not held", () => {
  const CLOSED = "This position is closed.";

  it.each([
    [
      "eToro",
      "Position ID,Action,Amount,Units,Open Date,Close Date,Open Rate,Close Rate,Profit,Type,ISIN",
      "2345,Buy CSX Corp,1.26,0.04277,05/01/2026 15:30:00,05/02/2026 15:30:00,29.46,31.2,0.07,Stocks,US1264081035",
    ],
    [
      "XTB",
      "Position,Symbol,Type,Volume,Open time,Open price,Close time,Close price",
      "1273484112,AAPL.US,BUY,10,05.01.2026 15:30:00,150.5,05.02.2026 15:30:00,190",
    ],
    [
      "Schwab",
      '"Symbol","Name","Closed Date","Opened Date","Quantity","Proceeds Per Share","Cost Per Share"',
      '"AAPL","APPLE INC","02/05/2026","01/05/2026","10","$190.00","$150.50"',
    ],
    ["Fidelity", "Symbol,Quantity,Date Acquired,Date Sold,Proceeds", "AAPL,10,01/05/2026,02/05/2026,1900"],
  ])("%s", (_, header, row) => {
    expect(lines(`${header}\n${row}\n${row}`)).toEqual([CLOSED, CLOSED]);
  });

  it("in a list that has open ones, too, where it says when it was", () => {
    const text = "Symbol,Shares,Cost per share,Date sold\nAAPL,10,150.5,2026-02-05\nMSFT,2,400,\nSAP,3,90,-";
    expect(lines(text)).toMatchObject([CLOSED, { symbol: "MSFT", quantity: "2" }, { symbol: "SAP", quantity: "3" }]);
  });

  it("and takes no open one of the same stock away in another account", () => {
    const header = "Account,Symbol,Shares,Cost per share,Date sold";
    const text = `${header}\n1,AAPL,10,150.5,\n2,AAPL,5,140,2026-02-05`;
    expect(lines(text)).toEqual([{ symbol: "AAPL", quantity: "10", avgCost: "150.5" }, CLOSED]);
  });

  it("and the price at which a market closed closes none", () => {
    const apple = [{ symbol: "AAPL", quantity: "10", avgCost: "150.5" }];
    expect(lines("Symbol,Quantity,Cost Price,Close Price\nAAPL,10,150.5,190")).toMatchObject([
      { symbol: "AAPL", quantity: "10" },
    ]);
    expect(lines("Symbol,Quantity,Avg cost,Open price,Close price\nAAPL,10,150.5,189,190")).toEqual(apple);
  });
});
