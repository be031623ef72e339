/** Where the header of a table is: banks write a title, an account and a date above it. */
import { describe, expect, it } from "vitest";
import type { ImportChoices } from "../../../../src/ui/stocks/import/read/import-choices.ts";
import { type ImportReading, readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

const readTable = (text: string, choices?: ImportChoices): Extract<ImportReading, { kind: "table" }> => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind !== "table") throw new Error(`Read as ${JSON.stringify(reading)}`);
  return reading;
};

const BANK = [
  "Depotübersicht",
  "Depotnummer;123456789",
  "Währung;EUR",
  "Stand:;24.11.2026",
  "",
  "ISIN;Bezeichnung;Symbol;Stück;Einstandskurs;Währung",
  "DE0007164600;SAP SE;SAP;10;120,50;EUR",
  "US0378331005;Apple;AAPL;5;150,00;EUR",
].join("\n");

describe("a table below other lines", () => {
  it("is read from its header on, and says how many lines are above it", () => {
    const { delimiter, linesAbove, rows } = readTable(BANK);
    expect([delimiter, linesAbove]).toEqual([";", 5]);
    expect(rows.map((row) => (row.kind === "draft" ? row.draft.symbol : row.kind === "skipped" && row.reason))).toEqual(
      [
        ...["Above the header.", "Above the header.", "Above the header.", "Above the header.", "Empty line."],
        ...["Header.", "SAP", "AAPL"],
      ],
    );
    expect(rows[6]).toMatchObject({ line: 7, draft: { quantity: "10", avgCost: "120.5", currency: "EUR" } });
  });

  it.each([
    ["commas", "Portfolio report, 24 Nov 2026\nAccount,U123\n\nSymbol,Quantity,Cost per share\nAAPL,5,150", 3],
    ["a title with the names of two columns", "Name;Currency\nMy depot;EUR\nSymbol;Quantity;Avg cost\nA;5;1", 2],
    ["a header without a symbol", "My report\nISIN;Name;Quantity\nUS0378331005;Apple;5", 1],
  ])("is found with %s", (_, text, above) => {
    expect(readTable(text).linesAbove).toBe(above);
  });

  it("is read from the first line where the person says that there is no header", () => {
    const { linesAbove, rows } = readTable(BANK, { hasHeader: false });
    expect([linesAbove, rows.some((row) => row.kind === "skipped" && row.reason === "Header.")]).toEqual([0, false]);
  });
});

it.each([
  ["its first line", "Symbol,Type,Notes\nAAPL,Stock,Name\nMSFT,Fund,x"],
  ["no line", "AAPL,10,180\nMSFT,5,Stock"],
  ["an empty line first", "\nSymbol,Quantity\nAAPL,10"],
])("a table with a header in %s has nothing above it", (_, text) => {
  expect(readTable(text).linesAbove).toBe(0);
});

it("a row with an amount and a type that is spelled like a header is none", () => {
  const { hasHeader, rows } = readTable("AAPL,Stock,10\nMSFT,Stock,5");
  expect(hasHeader).toBe(false);
  expect(rows).toMatchObject([{ draft: { symbol: "AAPL" } }, { draft: { symbol: "MSFT" } }]);
  expect(readTable("Stock,2026\nAAPL,10").hasHeader).toBe(true);
  expect(readTable("No.,Stock,Held\n1,AAPL,10").hasHeader).toBe(true);
});

describe("a file with several tables", () => {
  const draftsOf = (text: string): unknown[] =>
    readTable(text).rows.flatMap<unknown>((row) => {
      if (row.kind === "draft") return [row.draft];
      return row.kind === "problem" ? [row.problem] : [];
    });
  const reasonsOf = (text: string): unknown[] =>
    readTable(text).rows.flatMap((row) => (row.kind === "skipped" ? [row.reason] : []));
  const ELSEWHERE = "Not in the table that is read.";

  it("is read for the holdings that come first: Vanguard's trades of 18 months are not all there were", () => {
    const text = `Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,
12345678,VANGUARD TOTAL STOCK MARKET,VTI,100,250.00,25000.00,
12345678,VANGUARD TOTAL BOND,BND,50,70.00,3500.00,


Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Net Amount,
12345678,2026-01-05,2026-01-07,Buy,Buy,VANGUARD TOTAL STOCK MARKET,VTI,5.0000,240.00,-1200.00,
12345678,2026-02-05,2026-02-07,Sell,Sell,VANGUARD TOTAL BOND,BND,-5.0000,70.00,350.00,
`;
    expect(draftsOf(text)).toEqual([
      { symbol: "VTI", quantity: "100" },
      { symbol: "BND", quantity: "50" },
    ]);
    expect(reasonsOf(text).filter((reason) => reason === ELSEWHERE)).toHaveLength(3);
  });

  it("is read for the open positions of Interactive Brokers, however many lines are above them", () => {
    const summary = Array.from({ length: 30 }, (_, at) => `Mark-to-Market Performance Summary,Data,Stocks,A${at},1,1`);
    const positions =
      "Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis";
    const text = [
      "Statement,Header,Field Name,Field Value",
      "Statement,Data,BrokerName,Interactive Brokers",
      "Mark-to-Market Performance Summary,Header,Asset Category,Symbol,Prior Quantity,Current Quantity",
      ...summary,
      positions,
      "Open Positions,Data,Summary,Stocks,USD,AAPL,10,1,150.5,1505",
      "Open Positions,Total,,Stocks,USD,,,,,1505",
      "Open Positions,Data,Summary,Equity and Index Options,USD,AAPL 15JAN27 200 C,1,100,4,400",
      "Forex Balances,Header,Asset Category,Currency,Description,Quantity,Cost Price,Cost Basis in EUR",
      "Forex Balances,Data,Forex,EUR,USD,100,0.9,-90",
      "Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Code",
      'Trades,Data,Order,Stocks,USD,AAPL,"2026-11-27, 10:00:00",2,180,190,-360,O',
    ].join("\n");
    expect(draftsOf(text)).toEqual([{ symbol: "AAPL", currency: "USD", quantity: "10", avgCost: "150.5" }]);
    expect(reasonsOf(text).slice(-6)).toEqual([
      ...["A totals line.", "An option is not a stock."],
      ...Array(4).fill(ELSEWHERE),
    ]);
  });

  it("may have the same header again", () => {
    const text = "Symbol,Shares\nA,1\n\nSymbol,Shares\nB,2";
    expect(draftsOf(text)).toEqual([
      { symbol: "A", quantity: "1" },
      { symbol: "B", quantity: "2" },
    ]);
  });

  it.each([
    ["in another spelling", "Symbol,Description,Shares,Avg cost"],
    ["with a comma more", "Symbol,Description,Qty,Price paid,"],
  ])("may have its header again %s", (_, again) => {
    const text = `Symbol,Description,Qty,Price paid\nA,x,1,10\n\n${again}\nB,y,2,20`;
    expect(draftsOf(text)).toEqual([
      { symbol: "A", name: "x", quantity: "1", avgCost: "10" },
      { symbol: "B", name: "y", quantity: "2", avgCost: "20" },
    ]);
    expect(reasonsOf(text)).toEqual(["Header.", "Empty line.", "Header."]);
  });

  it("says of other holdings that they are not read: they are no smaller part of what is held", () => {
    const text = "Symbol,Qty,Price paid\nA,1,10\n\nSymbol,Description,Shares\nB,y,2\n\nSymbol,Qty,Price paid\nC,3,30";
    expect(draftsOf(text)).toEqual([
      { symbol: "A", quantity: "1", avgCost: "10" },
      "This table has other columns than the one above it. Import it on its own.",
      { symbol: "C", quantity: "3", avgCost: "30" },
    ]);
    expect(
      draftsOf("Symbol,Qty,Price paid\nA,1,10\n\nSymbol,Action,Trade date,Shares\nB,Buy,2026-01-05,2"),
    ).toHaveLength(1);
    expect(draftsOf("Symbol,Name,Last price\nA,x,10\n\nSymbol,Name,Shares\nB,y,2")[1]).toContain("on its own");
  });

  it("is not one whose rows have the words of headers", () => {
    expect(draftsOf("Symbol,Type,Notes\nAAPL,Stock,Name\n\nMSFT,Fund,x")).toHaveLength(2);
  });
});
