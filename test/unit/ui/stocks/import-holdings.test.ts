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

describe("a column of instruments that has no names", () => {
  it.each([
    ["AAPL,Equity,10", "VTI,ETF,5"],
    ["AAPL,Common Stock,10", "ESX,Option,5"],
    ["AAPL,US large,10", "MSFT,US large,5"],
  ])("is left out: %s and %s", (...rows) => {
    const read = lines(["Symbol,Instrument,Quantity", ...rows].join("\n"));
    expect(read).toEqual(rows.map((row) => ({ symbol: row.split(",")[0], quantity: row.split(",")[2] })));
  });

  it("is not one whose names repeat with their symbols, or have a word for a kind", () => {
    const rows = ["AAPL,Apple,10", "VTI,Vanguard Total Stock Market ETF,5", "AAPL,Apple,3"];
    expect(lines(["Symbol,Instrument,Quantity", ...rows].join("\n"))).toMatchObject([
      { name: "Apple" },
      { name: "Vanguard Total Stock Market ETF" },
    ]);
  });
});

describe("a column of asset categories", () => {
  it.each(["Asset Category,Asset Class", "Asset Class,Asset Category"])("yields to one of types: %s", (headers) => {
    const cells = headers.replace("Asset Category", "Large Cap").replace("Asset Class", "Equity");
    expect(lines(`Symbol,${headers},Quantity\nAAPL,${cells},3`)).toEqual([
      { symbol: "AAPL", assetType: "stock", quantity: "3" },
    ]);
  });

  it("has the types where no other one does", () => {
    expect(lines("Symbol,Asset Category\nAAPL,Equity")).toEqual([{ symbol: "AAPL", assetType: "stock" }]);
    const chosen = lines("Symbol,Asset Category,Type\nAAPL,Equity,x", { mapping: { 2: null } });
    expect(chosen).toEqual([{ symbol: "AAPL", assetType: "stock" }]);
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

describe("what brokers list beside stocks is left out", () => {
  const OPTION = "An option is not a stock.";
  const FUTURE = "A future is not a stock.";
  const CASH = "Cash is not a stock.";
  const BOND = "A bond is not a stock: its quantity is a nominal value, and its price a percentage.";
  const typed = (symbol: string, type: string): unknown[] =>
    lines(`Symbol,Description,Quantity,Asset Type\n${symbol},x,10,${type}`);

  it.each([
    ["AAPL  270115C00200000", "OPT", OPTION],
    ["AAPL 15JAN27 200 C", "Equity and Index Options", OPTION],
    ["AAPL 01/15/2027 200.00 C", "Option", OPTION],
    ["AAPL 01/15/2027 200.00 C", "Call option", OPTION],
    ["ESZ6", "FUT", FUTURE],
    ["ESZ6", "Index Futures", FUTURE],
    ["ESZ6", "Futures", FUTURE],
    ["EUR.USD", "CASH", CASH],
    ["EUR.USD", "Forex", CASH],
    ["Cash & Cash Investments", "Cash and Money Market", CASH],
    ["912797KX4", "Fixed Income", BOND],
  ])("%s of the type %s: %s", (symbol, type, reason) => {
    expect(typed(symbol, type)).toEqual([reason]);
  });

  it("is told of an option by its symbol, too, and of a bond by its number and rate", () => {
    const rows = " -AAPL270115C200,AAPL JAN 15 2027 $200 CALL,1\nAAPL270115P00200000,,2";
    expect(lines(`Symbol,Description,Quantity\n${rows}`)).toEqual([OPTION, OPTION]);
    const bill = "912797KX4,UNITED STATES TREAS BILLS ZERO CPN 0.00000% 01/15/2027,10000";
    expect(lines(`Symbol,Description,Quantity\n${bill}`)).toEqual([BOND]);
  });

  it("is the line of E*Trade's cash, and not the stock of that symbol", () => {
    const header = "Symbol,Last Price $,Quantity,Price Paid $,Value $";
    expect(lines(`${header}\nCASH,,,,1234.5`)).toEqual([CASH]);
    expect(lines(`${header}\nCASH,70,2,60,140`)).toMatchObject([{ symbol: "CASH", quantity: "2" }]);
    expect(lines("Symbol,Name\nCASH,Pathward")).toMatchObject([{ symbol: "CASH" }]);
    expect(lines("Symbol,Quantity,Avg cost,Last price\nCASH,,,75.5")).toMatchObject([{ symbol: "CASH" }]);
    expect(lines("Symbol,Name,Quantity,Avg cost\nCASH,Pathward,,")).toMatchObject([{ symbol: "CASH" }]);
    expect(lines("Symbol,Name,Quantity,Avg cost\nCASH,Cash balance,,")).toEqual([CASH]);
    const yahoo = "Symbol,Current Price,Date,Purchase Price,Quantity,High Limit,Low Limit\nCASH,,,,,,";
    expect(lines(yahoo)).toEqual([{ symbol: "CASH" }]);
  });

  it("is no split of that stock: its trades are left to the person", () => {
    const rows = "2026-01-05,Buy,CASH,10,60\n2026-02-05,Stock split,CASH,20,\n2026-03-05,Sell,CASH,3,40";
    const split = expect.stringContaining("Line 3 is neither a purchase nor a sale");
    expect(lines(`Date,Type,Symbol,Quantity,Price\n${rows}`)).toEqual([split, split, split]);
  });

  it.each([
    ["Equity", "stock"],
    ["ETFs & Closed End Funds", "etf"],
    ["Bond ETF", "etf"],
    ["Bond", "other"],
    ["Option Income Fund", "fund"],
    ["Equity options strategy", "stock"],
    ["Future mobility", "other"],
    ["Forex broker", "other"],
  ])("and not a stock of the type %s", (type, assetType) => {
    expect(typed("AAPL", type)).toEqual([{ symbol: "AAPL", name: "x", quantity: "10", assetType }]);
  });

  it.each(["Cash", "Margin", "STK", "Stocks"])(
    "is not %s: Fidelity's kind of account, and what may be a fund at Interactive Brokers, are no types",
    (type) => {
      expect(typed("AAPL", type)).toEqual([{ symbol: "AAPL", name: "x", quantity: "10" }]);
    },
  );

  it("is left out of purchases and sales", () => {
    const text = `"CurrencyPrimary","AssetClass","Symbol","DateTime","Quantity","TradePrice","Buy/Sell"
"USD","STK","AAPL","20260105;103000","10","100","BUY"
"USD","CASH","EUR.USD","20260205;103000","1000","1.1","BUY"
"USD","FUT","ESZ6","20260205;103000","1","6000","BUY"`;
    expect(lines(text)).toEqual([
      { symbol: "AAPL", currency: "USD", quantity: "10", avgCost: "100" },
      ...[CASH, FUTURE],
    ]);
  });
});

describe("a stock in several accounts", () => {
  const fidelity = (...rows: readonly string[]): string =>
    ["Account Number,Account Name,Symbol,Quantity,Average Cost Basis", ...rows].join("\n");
  const rows = ["Z1,Individual,AAPL,10,$100", "Z2,Roth IRA,AAPL,30,$200", "Z2,Roth IRA,MSFT,1,$400"];
  const MSFT = { symbol: "MSFT", quantity: "1", avgCost: "400" };

  it("is held with all that they hold, at its average cost", () => {
    expect(lines(fidelity(...rows))).toEqual([{ symbol: "AAPL", quantity: "40", avgCost: "175" }, MSFT]);
  });

  it("is not, where one account has it twice, or the person says otherwise: lines may repeat others", () => {
    const first = { symbol: "AAPL", quantity: "10", avgCost: "100" };
    expect(lines(fidelity(...rows, "Z1,Individual,AAPL,10,$100"))).toEqual([first, MSFT]);
    expect(lines(fidelity(...rows), { lots: "separate" })).toEqual([first, MSFT]);
    expect(lines("Symbol,Quantity,Country\nAAPL,10,a\nAAPL,30,b")).toEqual([{ symbol: "AAPL", quantity: "10" }]);
  });

  it.each([
    ["Date", "2026-10-31", "2026-11-30"],
    ["Day", "10/31/2026", "11/30/2026"],
    ["As of", "2026-10-31", "2026-11-30"],
    ["Snapshot", "Oct", "Nov"],
    ["Reported", "2026-10", "2026-11"],
    ["Reported", "Q3 2026", "Q4 2026"],
    ["Reported", "Oktober 26", "November 26"],
  ])("is not, where it moved from one to another: %s, %s and %s", (header, then, now) => {
    const text = `${header},Account,Symbol,Quantity\n${then},Old broker,AAPL,10\n${now},New broker,AAPL,10`;
    expect(lines(text)).toEqual([{ symbol: "AAPL", quantity: "10" }]);
  });

  it("is, where all lines are of one day, or only other stocks are of another", () => {
    const text = (other: string) =>
      `Price date,Account,Symbol,Quantity\n2026-11-30,A,AAPL,10\n2026-11-30,B,AAPL,10\n${other},B,VTSAX,1`;
    const held = [
      { symbol: "AAPL", quantity: "20" },
      { symbol: "VTSAX", quantity: "1" },
    ];
    expect([lines(text("2026-11-30")), lines(text("2026-11-27"))]).toEqual([held, held]);
  });
});

describe("a column of sides, long and short", () => {
  const flex = (...rows: readonly string[]): string => ["Symbol,Quantity,CostBasisPrice,Side", ...rows].join("\n");
  const AAPL = { symbol: "AAPL", quantity: "10", avgCost: "150" };
  const SHORT = "A short position is not held.";

  it("is none of trades: one short position does not take the others away, and is no holding", () => {
    expect(lines(flex("AAPL,10,150,Long", "TSLA,-5,300,Short"))).toEqual([AAPL, SHORT]);
    expect(lines(flex("AAPL,10,150,Long", "TSLA,5,300,Short"))).toEqual([AAPL, SHORT]);
    expect(lines(flex("AAPL,10,150,Long"))).toEqual([AAPL]);
  });

  it("may be headed Type, as at Fidelity, which has there the kinds of accounts as well", () => {
    const typed = (...rows: readonly string[]): string => ["Symbol,Type,Quantity,Avg Price", ...rows].join("\n");
    expect(lines(typed("AAPL,Long,10,150", "TSLA,Short,5,200"))).toEqual([AAPL, SHORT]);
    const MSFT = { symbol: "MSFT", quantity: "2", avgCost: "400" };
    expect(lines(typed("AAPL,Cash,10,150", "MSFT,Margin,2,400", "TSLA,Short,5,200"))).toEqual([AAPL, MSFT, SHORT]);
    const mapping = { 1: "transactionType" } as const;
    expect(lines(typed("AAPL,Long,10,150", "TSLA,Short,5,200"), { mapping })).toEqual([AAPL, SHORT]);
  });

  it("is one of trades where it says Buy or Sell, too, or beside a date", () => {
    const dated = (...rows: readonly string[]): string => ["Date,Symbol,Type,Quantity,Price", ...rows].join("\n");
    const left = { symbol: "A", quantity: "3", avgCost: "10" };
    const sold = ["2026-01-05,A,Buy,5,10", "2026-02-05,A,Sell,2,20"];
    const unknown = expect.stringContaining("neither a purchase nor a sale: “Long”");
    expect(lines(dated("2026-01-05,B,Long,5,10", ...sold))).toEqual([unknown, left]);
    expect(lines(dated("2026-01-05,B,Long,5,10", "2026-02-05,B,Short,5,20"))).toEqual([unknown, unknown]);
  });
});
