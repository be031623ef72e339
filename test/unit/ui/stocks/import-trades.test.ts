/** Files of purchases and sales: what is left of each stock, at its average cost, and when that cannot be said. */
import { describe, expect, it } from "vitest";
import type { ImportChoices } from "../../../../src/ui/stocks/import/read/import-choices.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

/** Outcomes by line, without the header's. */
const outcomes = (text: string, choices?: ImportChoices): unknown[] => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind === "refused") throw new Error(reading.problem);
  return reading.rows.slice(1).map(({ lastLine: _, source: __, line, ...row }) => ({ line, ...row }));
};

const drafts = (text: string, choices?: ImportChoices): unknown[] => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind === "refused") throw new Error(reading.problem);
  return reading.rows.flatMap<unknown>((row) =>
    row.kind === "draft" ? [row.draft] : row.kind === "problem" ? [row.problem] : [],
  );
};

const HEADER = "Date,Symbol,Type,Quantity,Price";

const table = (...lines: readonly string[]): string => [HEADER, ...lines].join("\n");

it("a sale takes its shares at the average cost of those bought before it", () => {
  const text = table(
    "2026-01-05,AAPL,Buy,10,100",
    "2026-02-05,AAPL,Buy,10,200",
    "2026-03-05,AAPL,Sell,5,400",
    "2026-04-05,AAPL,Buy,5,250",
    "2026-04-06,MSFT,Buy,1,300",
  );
  expect(outcomes(text)).toEqual([
    {
      line: 2,
      kind: "draft",
      // 15 left at 150, and 5 more at 250.
      draft: { symbol: "AAPL", quantity: "20", avgCost: "175" },
      notes: ["4 lines: 25 bought, 5 sold."],
    },
    { line: 3, kind: "merged", intoLine: 2 },
    { line: 4, kind: "merged", intoLine: 2 },
    { line: 5, kind: "merged", intoLine: 2 },
    { line: 6, kind: "draft", draft: { symbol: "MSFT", quantity: "1", avgCost: "300" }, notes: [] },
  ]);
});

it("what is sold whole is left out in words, and what is bought again costs what it cost then", () => {
  const text = table("2026-01-05,IBM,Buy,10,100", "2026-02-05,IBM,Sell,10,90", "2026-01-07,SAP,Buy,1,5");
  expect(outcomes(text).slice(0, 2)).toEqual([
    { line: 2, kind: "skipped", reason: "Nothing is left of IBM: 10 bought, 10 sold." },
    { line: 3, kind: "skipped", reason: "Nothing is left of IBM: 10 bought, 10 sold." },
  ]);
  expect(drafts(`${text}\n2026-05-05,IBM,Buy,2,70`)[0]).toEqual({ symbol: "IBM", quantity: "2", avgCost: "70" });
});

it.each([
  ["10:30:00", "13:30:00"],
  ["10:30:00 PST", "13:30:00 PST"],
  ["10:30 AEST", "13:30 AEST"],
  ["12:30:00 PM EST", "1:30:00 PM EST"],
  ["12:30 p. m.", "1:30p"],
])("what is bought at %s comes before what is sold at %s", (first, last) => {
  const text = table(
    ...["2026-03-01 09:00,A,Buy,10,100", `2026-03-02 ${first},A,Buy,10,200`, `2026-03-02 ${last},A,Sell,10,400`],
    `2026-03-03 09:00,A,Buy,10,300`,
  );
  expect(drafts(text)).toEqual([{ symbol: "A", quantity: "20", avgCost: "225" }]);
});

describe("the files of brokers", () => {
  it.each([
    [
      "Trading 212",
      `Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total
Deposit,2026-01-01 09:00:00,,,,,,,,1000
Market buy,2026-01-02 14:31:00,US0378331005,AAPL,Apple,4.0,100.00,USD,1.1,400
Limit sell,2026-01-02 15:00:00,US0378331005,AAPL,Apple,1.0,120.00,USD,1.1,120
Dividend (Ordinary),2026-02-02 15:00:00,US0378331005,AAPL,Apple,3.0,0.20,USD,1.1,0.6`,
      { symbol: "AAPL", name: "Apple", isin: "US0378331005", currency: "USD", quantity: "3", avgCost: "100" },
    ],
    [
      "Revolut",
      `Date,Ticker,Type,Quantity,Price per share,Total Amount,Currency,FX Rate
2026-01-02T14:31:00.123Z,,CASH TOP-UP,,,USD 1000,USD,1.0
2026-01-02T14:35:00.123Z,AAPL,BUY - MARKET,4,$100.50,USD 402,USD,1.0
2026-01-03T14:35:00.123Z,AAPL,SELL - MARKET,1,$130,USD 130,USD,1.0`,
      { symbol: "AAPL", currency: "USD", quantity: "3", avgCost: "100.5" },
    ],
    [
      "Schwab, the latest line first",
      `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"03/04/2026","Buy","AAPL","APPLE INC","10","$300.00","","-$3000.00"
"02/20/2026 as of 02/19/2026","Sell","AAPL","APPLE INC","10","$150.00","$0.10","$1500.00"
"01/05/2026","Buy","AAPL","APPLE INC","20","$100.00","","-$2000.00"
"01/04/2026","MoneyLink Deposit","","","","","","$5000.00"`,
      { symbol: "AAPL", name: "APPLE INC", quantity: "20", avgCost: "200" },
    ],
    [
      "Interactive Brokers, which counts sales below zero",
      `Symbol,Date/Time,Quantity,T. Price
AAPL,"2026-01-05, 10:00:00",20,100
AAPL,"2026-01-05, 15:30:00",-5,120`,
      { symbol: "AAPL", quantity: "15", avgCost: "100" },
    ],
    [
      "a German bank",
      `Datum;Typ;Symbol;Stück;Kurs;Währung
05.01.2026;Kauf;SAP;10;100,50;EUR
05.02.2026;Verkauf;SAP;4;120,00;EUR`,
      { symbol: "SAP", currency: "EUR", quantity: "6", avgCost: "100.5" },
    ],
    [
      "Yahoo",
      `Symbol,Current Price,Date,Time,Trade Date,Purchase Price,Quantity,Commission,High Limit,Low Limit,Comment,Transaction Type
AAPL,190,2026/11/20,16:00 EST,20210101,160,20,0,,,,BUY
AAPL,190,2026/11/20,16:00 EST,20220101,170,10,0,,,,SELL
AAPL,190,2026/11/20,16:00 EST,20200101,100,10,0,,,,BUY`,
      {
        ...{ symbol: "AAPL", quantity: "20", avgCost: "140" },
        ...{ lastPrice: "190", lastPriceAt: "2026-11-20T00:00:00Z", lastPriceSource: "import" },
      },
    ],
  ])("%s", (_, text, draft) => {
    expect(drafts(text)).toEqual([draft]);
  });
});

it("a statement of Interactive Brokers has lines that sum others up, or tell what a sale took from", () => {
  const text = `Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,Proceeds
Trades,Data,Order,Stocks,EUR,SAP,"2026-01-02, 03:30:00",20,140.5,-2810
Trades,SubTotal,,Stocks,EUR,SAP,,20,,-2810
Trades,Data,Order,Stocks,EUR,ASML,"2026-01-02, 03:30:00",10,600,-6000
Trades,Data,Order,Stocks,EUR,ASML,"2026-02-02, 03:30:00",-4,700,2800
Trades,Data,ClosedLot,Stocks,EUR,ASML,"2026-01-02, 03:30:00",4,600,
Trades,Data,SubTotal,Stocks,EUR,ASML,,6,,-3200
Trades,Total,,Stocks,EUR,,,,,-6010`;
  expect(drafts(text)).toEqual([
    { symbol: "SAP", currency: "EUR", quantity: "20", avgCost: "140.5" },
    { symbol: "ASML", currency: "EUR", quantity: "6", avgCost: "600" },
  ]);
  const totals = { kind: "skipped", reason: "A totals line." };
  expect(outcomes(text).filter((row) => JSON.stringify(row).includes(totals.reason))).toEqual(
    [3, 6, 7, 8].map((line) => ({ line, ...totals })),
  );
});

describe("which came first", () => {
  const UNDATED = "Symbol,Type,Quantity,Price";

  it("does not matter where all purchases cost the same", () => {
    expect(drafts(`${UNDATED}\nA,Buy,5,10\nA,Sell,2,20\nA,Buy,5,10`)).toEqual([
      { symbol: "A", quantity: "8", avgCost: "10" },
    ]);
  });

  it("shows where one order would sell what was not there yet", () => {
    expect(drafts(`${UNDATED}\nA,Buy,10,30\nA,Sell,5,20\nA,Buy,5,10`)).toEqual([
      "The average cost of A depends on which line came first, and no column of the file says so. Add A by hand, with the quantity and average cost you have now.",
      ...Array(2).fill(expect.stringContaining("by hand")),
    ]);
    expect(drafts(`${UNDATED}\nA,Buy,10,30\nA,Sell,5,20\nA,Buy,4,10`)).toEqual([
      { symbol: "A", quantity: "9", avgCost: "21.1111111111" },
    ]);
  });

  it("is the person's to say where days and months cannot be told apart, unless another line tells", () => {
    const lines = ["02/03/2026,A,Buy,10,10", "03/02/2026,A,Sell,5,20", "04/01/2026,A,Buy,10,40"];
    expect(drafts(table(...lines))[0]).toContain("depends on which line came first");
    expect(drafts(table(...lines, "01/31/2026,B,Buy,1,1"))).toEqual([
      { symbol: "A", quantity: "15", avgCost: "30" },
      { symbol: "B", quantity: "1", avgCost: "1" },
    ]);
  });
});

describe("what cannot be netted is a problem that says why", () => {
  const byHand = "Add A by hand, with the quantity and average cost you have now.";

  it.each([
    [
      ["2026-01-05,A,Buy,5,10", "2026-02-05,A,Sell,6,12"],
      `This file sells more A than it buys. It may not go back far enough. ${byHand}`,
    ],
    [
      ["2026-01-05,A,Buy,5,10", "2026-02-05,A,Stock split,10,"],
      `Line 3 is neither a purchase nor a sale: “Stock split”. ${byHand}`,
    ],
    [["2026-01-05,A,Buy,5,10", "2026-02-05,A,Sell,x,12"], "Quantity: "],
  ])("%j", (lines, problem) => {
    expect(drafts(table(...lines)).join()).toContain(problem);
  });

  it("is all of a stock of which one line cannot be read", () => {
    const lines = ["2026-01-05,A,Buy,5,10", "2026-02-05,A,Buy,x,10", "2026-02-05,A,Sell,2,12"];
    const problem = `A has sales here, and its line 3 cannot be read. ${byHand}`;
    expect(drafts(table(...lines))).toEqual([problem, expect.stringContaining("Quantity:"), problem]);
  });

  it.each([
    ["purchases", table("2026-01-05,A,Buy,5,10", "2026-02-05,a,Buy,x,20", "2026-02-05,B,Buy,1,20")],
    [
      "Yahoo's lots",
      "Symbol,Current Price,Purchase Price,Quantity,High Limit,Low Limit\nA,,10,5,,\nA,,20,x,,\nB,,20,1,,",
    ],
    ["several accounts", "Account,Symbol,Quantity,Avg cost\n1,A,5,10\n2,A,x,20\n1,B,1,20\n2,C,1,1"],
  ])("also without a sale: a part of %s would look like all of them", (_, text) => {
    expect(drafts(text).slice(0, 3)).toEqual([
      "A has several lines here, and line 3 cannot be read. Correct that line first.",
      expect.stringContaining("Quantity:"),
      expect.objectContaining({ symbol: "B" }),
    ]);
  });

  it("and not the others where lines of one stock repeat each other", () => {
    expect(drafts("Symbol,Quantity\nA,5\nA,x")[0]).toEqual({ symbol: "A", quantity: "5" });
    expect(drafts("Symbol,Quantity\nA,5\nA,x", { lots: "merge" })[0]).toContain("line 3 cannot be read");
  });

  it("is not the currency of a sale: what is left costs what was paid for it", () => {
    const text = "Date,Symbol,Type,Quantity,Price,Currency\n2026-02-05,A,Sell,2,12,USD\n2026-01-05,A,Buy,10,100,EUR";
    expect(drafts(text)).toEqual([{ symbol: "A", currency: "EUR", quantity: "8", avgCost: "100" }]);
  });

  it("keeps the quantity of one whose purchase has no price", () => {
    const text = table("2026-01-05,A,Buy,5,", "2026-02-05,A,Sell,2,12");
    expect(outcomes(text)[0]).toMatchObject({
      draft: { symbol: "A", quantity: "3", avgCost: null },
      notes: ["2 lines: 5 bought, 2 sold.", "No average cost, because a purchase has no price."],
    });
  });
});

it("dividends, fees and deposits are left out, also those without a symbol", () => {
  const text = table("2026-01-05,A,Buy,5,10", "2026-02-05,A,Dividend,5,0.2", "2026-02-06,,Deposit,,1000");
  expect(outcomes(text).slice(1)).toEqual([
    { line: 3, kind: "skipped", reason: "Neither a purchase nor a sale." },
    { line: 4, kind: "skipped", reason: "Neither a purchase nor a sale." },
  ]);
});

it("a table whose type is a kind of stock is none of trades", () => {
  expect(drafts("Symbol,Type,Quantity,Price\nA,ETF,5,10")).toEqual([{ symbol: "A", assetType: "etf", quantity: "5" }]);
});
