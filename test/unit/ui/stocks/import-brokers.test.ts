/** What brokers write in files of purchases and sales: their columns, their words for a trade and their dates. */
import { describe, expect, it } from "vitest";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

/** What each line becomes, without the header and what is combined into another line. */
const lines = (text: string): unknown[] => {
  const reading = readImport(text, "en-US");
  if (reading.kind === "refused") throw new Error(reading.problem);
  return reading.rows.slice(1).flatMap<unknown>((row) => {
    if (row.kind === "draft") return [row.draft];
    if (row.kind === "problem") return [row.problem];
    return row.kind === "skipped" ? [row.reason] : row.kind === "duplicate" ? [`Duplicate of ${row.ofLine}`] : [];
  });
};

const HEADER = "Date,Symbol,Action,Quantity,Price";

const table = (...rows: readonly string[]): string => [HEADER, ...rows].join("\n");

const NO_TRADE = "Neither a purchase nor a sale.";

describe("the column that says what a line did", () => {
  const ROBINHOOD = `"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"
"3/9/2026","3/9/2026","3/10/2026","AAPL","Apple","CDIV","","","$1.75"
"3/2/2026","3/2/2026","3/3/2026","AAPL","Apple","Sell","3","$190.00","$570.00"
"1/5/2026","1/5/2026","1/6/2026","AAPL","Apple","Buy","10","$100.00","($1,000.00)"
"1/2/2026","1/2/2026","1/2/2026","","ACH Deposit","ACH","","","$5,000.00"`;
  const APPLE = { symbol: "AAPL", name: "Apple", quantity: "7", avgCost: "100" };

  it("is Robinhood's code, whose dividends and deposits move no shares", () => {
    expect(lines(ROBINHOOD)).toEqual([NO_TRADE, APPLE, NO_TRADE]);
  });

  it("is found by its cells where no header names it, without analysts' opinions", () => {
    expect(lines(ROBINHOOD.replace("Trans Code", "What happened").replace("CDIV", "Dividend"))).toContainEqual(APPLE);
    const held = [
      { symbol: "A", quantity: "5" },
      { symbol: "B", quantity: "2" },
    ];
    expect(lines("Symbol,Quantity,Opinion\nA,5,Sell\nB,2,Hold")).toEqual(held);
    expect(lines("Symbol,Quantity,Analyst rating\nA,5,Sell\nB,2,Buy")).toEqual(held);
    expect(lines("Symbol,Quantity,Plan\nA,5,Sell\nB,2,Wait")).toEqual(held);
  });

  it("is the one that the person chooses in a table without a header", () => {
    const mapping = { 1: "transactionType", 2: "quantity", 3: "avgCost" } as const;
    const reading = readImport("A,Buy,5,10\nA,Sell,2,20", "en-US", { hasHeader: false, shape: "table", mapping });
    expect("rows" in reading && reading.rows[0]).toMatchObject({ draft: { quantity: "3", avgCost: "10" } });
  });

  it("is the one whose cells say buy or sell, and where that is blank another one tells", () => {
    const header =
      "Title,Type,Timestamp,Account Currency,Total Amount,Buy / Sell,Ticker,Quantity,Instrument Currency,Price per Share";
    const rows = [
      "Apple,DIVIDEND,2026-04-02T14:50:00.000Z,GBP,14.78,,AAPL,87,USD,",
      "Apple,ORDER,2026-03-02T17:42:56.661Z,GBP,400,SELL,AAPL,4,USD,150",
      "Apple,ORDER,2026-01-05T17:42:56.661Z,GBP,800,BUY,AAPL,10,USD,100",
      "April Statement,MONTHLY_STATEMENT,2026-01-01T00:00:00.000Z,,,,,,,",
      "Top up,TOP_UP,2026-01-01T00:00:00.000Z,GBP,2000,,,,,",
    ];
    const apple = { symbol: "AAPL", currency: "USD", quantity: "6", avgCost: "100" };
    expect(lines([header, ...rows].join("\n"))).toEqual([NO_TRADE, apple, NO_TRADE, NO_TRADE]);
    const split = "Apple,STOCK_SPLIT,2026-02-02T17:42:56.661Z,,,,AAPL,30,USD,";
    expect(lines([header, ...rows, split].join("\n"))).toContainEqual(
      "Line 7 is neither a purchase nor a sale: “STOCK_SPLIT”. Add AAPL by hand, with the quantity and average cost you have now.",
    );
  });
});

describe("the first word for a trade says what a line did, whatever names come behind it", () => {
  const fidelity = (...rows: readonly string[]): string =>
    ["Run Date,Action,Symbol,Description,Type,Price ($),Quantity", ...rows].join("\n");

  it("a purchase of a fund of short bonds is no sale", () => {
    const bought = "YOU BOUGHT ISHARES ULTRA SHORT-TERM BOND ACTIVE ETF (ICSH) (Cash)";
    const text = fidelity(
      `01/05/2026,"${bought}",ICSH,ISHARES ULTRA SHORT-TERM,Cash,50.72,985`,
      `01/06/2026,"${bought}",ICSH,ISHARES ULTRA SHORT-TERM,Cash,50.72,1`,
    );
    expect(lines(text)).toEqual([
      { symbol: "ICSH", name: "ISHARES ULTRA SHORT-TERM", currency: "USD", quantity: "986", avgCost: "50.72" },
    ]);
  });

  it.each([
    ["YOU BOUGHT PROSHARES SHORT S&P500", "12"],
    ["YOU BOUGHT SALESFORCE INC", "12"],
    ["YOU BOUGHT VENTAS INC", "12"],
    ["REINVESTMENT VANGUARD SHORT TERM BOND", "12"],
    ["YOU SOLD BEST BUY CO INC", "8"],
    ["Sell to cover a purchase", "8"],
    ["Sell Short", "8"],
    ["Short", "8"],
    ["SELLSTOCK", "8"],
    ["Sparplan-Verkauf", "8"],
    ["Verkaufsorder", "8"],
    ["Kaufauftrag", "12"],
    ["Savings plan execution", "12"],
    ["Dividend reinvestment", "12"],
  ])("%s", (words, quantity) => {
    const text = table("2026-01-05,A,Buy,10,5", `2026-02-05,A,"${words}",2,5`);
    expect(lines(text)).toEqual([{ symbol: "A", quantity, avgCost: "5" }]);
  });

  it.each([
    "Short Term Cap Gain",
    "DIVIDEND RECEIVED BEST BUY CO INC (BBY) (Cash)",
    "DIVIDEND RECEIVED VENTAS INC (VTR) (Cash)",
  ])("%s moves no shares", (words) => {
    const text = table("2026-01-05,A,Buy,10,5", `2026-02-05,A,"${words}",2,5`);
    expect(lines(text)).toEqual([{ symbol: "A", quantity: "10", avgCost: "5" }, NO_TRADE]);
  });

  it("the account that a line names at its end does not make money of shares", () => {
    const transfer = '2026-02-05,,"Electronic Funds Transfer Received (Cash)",0.00,';
    const text = table("2026-01-05,A,Buy,10,5", '2026-02-05,A,"DISTRIBUTION A INC (A) (Cash)",90,', transfer);
    expect(lines(text)[0]).toContain("Line 3 is neither a purchase nor a sale");
    expect(lines(text)[2]).toBe(NO_TRADE);
  });
});

describe("dates", () => {
  const dated = (...dates: readonly [string, string, string]): string =>
    table(
      `"${dates[0]}",A,Buy,10,100`,
      `"${dates[1]}",A,Sell,5,120`,
      `"${dates[2]}",A,Buy,5,250`,
      "30 Dec 2026,B,Buy,1,1",
    );
  const A = { symbol: "A", quantity: "10" };
  const B = { symbol: "B", quantity: "1", avgCost: "1" };

  it.each([
    ["10 Jan 2026", "10 Feb 2026", "12 Mai 2026"],
    ["10. Januar 2026", "10. März 2026", "12. Okt. 2026"],
    ["10 janv. 2026", "10 juin 2026", "12 juil. 2026"],
    ["10 févr. 2026", "10 août 2026", "12 déc. 2026"],
    ["1er avril 2026", "2 mai 2026", "12 septembre 2026"],
    ["10 de enero de 2026", "10 abr 2026", "12 ago 2026"],
    ["10 gen 2026", "10 mag 2026", "12 ott 2026"],
    ["10 mrt 2026", "10 mei 2026", "12 okt 2026"],
    ["10/Jan/2026", "February 10th, 2026", "12-Dez-2026"],
    ["30.12.25", "10.01.26 14:30", "02.02.26"],
    ["12/30/98", "1/10/26", "2/2/26 9:30"],
    ["30-Dec-25", "10 Jan 26", "Feb 2, 26"],
  ])("%s, %s, %s", (...dates) => {
    expect(lines(dated(...dates))).toEqual([{ ...A, avgCost: "175" }, B]);
  });

  it.each([
    ["12 Xyz 2026", "The date of line 4 cannot be read: “12 Xyz 2026”."],
    ["", "Line 4 has no date."],
  ])("of which one, “%s”, says nothing leave a stock with sales to the person", (date, why) => {
    const problem = `${why} Add A by hand, with the quantity and average cost you have now.`;
    expect(lines(dated("10 Jan 2026", "10 Feb 2026", date))).toEqual([problem, problem, problem, B]);
  });

  it("that have the day first here and the month first there are left to the person", () => {
    const why = "Some dates of this file have the day first, others the month.";
    const problem = `${why} Add A by hand, with the quantity and average cost you have now.`;
    expect(lines(dated("13/01/2026", "01/14/2026", "15/01/2026"))).toEqual([problem, problem, problem, B]);
  });

  it("of one day do not say which of their lines came first", () => {
    const text = table("2026-01-05,A,Buy,10,30", "2026-01-05,A,Sell,5,20", "2026-01-05,A,Buy,5,10");
    expect(lines(text)[0]).toContain("depends on which line came first");
  });
});

describe("the market of a trade is where it was made, and the stock may be listed elsewhere", () => {
  const traded = (...rows: readonly string[]): unknown[] =>
    lines(["Date,Symbol,Action,Quantity,Price,Exchange,Currency", ...rows].join("\n"));

  it("a sale of more than was bought on one market takes from purchases on another", () => {
    const bought = ["2026-01-05,AAPL,BUY,10,100,ARCA,USD", "2026-01-06,AAPL,BUY,10,100,ISLAND,USD"];
    const sold = "2026-02-05,AAPL,SELL,14,120,ISLAND,USD";
    const left = { symbol: "AAPL", currency: "USD", avgCost: "100" };
    expect(traded(...bought, sold)).toEqual([{ ...left, quantity: "6" }]);
    expect(traded(bought[0] ?? "")).toEqual([{ ...left, exchange: "ARCX", quantity: "10" }]);
    const split = traded(...bought, sold, "2026-03-05,AAPL,Stock split,10,,NASDAQ,USD");
    expect(split).toEqual(Array(4).fill(expect.stringContaining("neither a purchase nor a sale")));
  });

  it("otherwise listings stay apart, as they are in the list after an earlier import", () => {
    const rows = ["2026-01-05,SAP,BUY,10,100,XETR,EUR", "2026-01-06,SAP,BUY,5,110,XFRA,EUR"];
    const [xetr, xfra] = [
      { symbol: "SAP", exchange: "XETR", currency: "EUR", quantity: "10", avgCost: "100" },
      { symbol: "SAP", exchange: "XFRA", currency: "EUR", quantity: "5", avgCost: "110" },
    ];
    expect(traded(...rows)).toEqual([xetr, xfra]);
    expect(traded(...rows, "2026-02-06,SAP,SELL,2,120,XFRA,EUR")).toEqual([xetr, { ...xfra, quantity: "3" }]);
  });

  it("two companies of one symbol are told apart by their ISINs", () => {
    const rows = (sold: number) =>
      lines(`Date,Type,Symbol,ISIN,Exchange,Quantity,Price,Currency
2026-01-05,Buy,SAN,FR0000120578,XPAR,10,90,EUR
2026-01-06,Buy,SAN,ES0113900J37,XMAD,1000,4,EUR
2026-02-06,Sell,SAN,ES0113900J37,XMAD,${sold},5,EUR`);
    const sanofi = { isin: "FR0000120578", exchange: "XPAR", quantity: "10", avgCost: "90" };
    const santander = { isin: "ES0113900J37", exchange: "XMAD", quantity: "800", avgCost: "4" };
    expect(rows(200)).toMatchObject([sanofi, santander]);
    const more = expect.stringContaining("sells more SAN than it buys");
    expect(rows(1005)).toEqual([expect.objectContaining(sanofi), more, more]);
  });

  it("so does one in India, whose currency is the same on both", () => {
    const text = `symbol,isin,trade_date,exchange,trade_type,quantity,price
INFY,INE009A01021,2026-01-05,NSE,buy,10,1500
INFY,INE009A01021,2026-02-05,BSE,sell,4,1600`;
    expect(lines(text)).toEqual([
      { symbol: "INFY", isin: "INE009A01021", currency: "INR", quantity: "6", avgCost: "1500" },
    ]);
  });

  it("but one in another currency is another listing", () => {
    expect(traded("2026-01-05,SHOP,BUY,10,100,NYSE,USD", "2026-01-06,SHOP,BUY,5,140,TSX,CAD")).toEqual([
      { symbol: "SHOP", exchange: "XNYS", currency: "USD", quantity: "10", avgCost: "100" },
      { symbol: "SHOP", exchange: "XTSE", currency: "CAD", quantity: "5", avgCost: "140" },
    ]);
  });
});

describe("a line that takes back a trade", () => {
  const byHand = "Add A by hand, with the quantity and average cost you have now.";

  it.each([
    "BUY (Ca.)",
    "SELL (Ca.)",
    "Cancel Buy",
    "CANCELLED YOU BOUGHT A",
    "Buy - Canceled",
    "Kauf Storno",
    "Stornierung Kauf",
    "Kaufstorno",
  ])("%s is no trade of its own", (words) => {
    const why = `Line 3 is neither a purchase nor a sale: “${words}”. ${byHand}`;
    expect(lines(table("2026-01-05,A,BUY,5,10", `2026-01-06,A,${words},-5,10`))).toEqual([why, why]);
  });

  it("is none of Stornoway Diamond's", () => {
    expect(lines(table("2026-01-05,A,BOUGHT STORNOWAY DIAMOND,5,10"))).toEqual([
      { symbol: "A", quantity: "5", avgCost: "10" },
    ]);
  });
});

describe("a trade that does not say how many", () => {
  it("is a problem: what was bought is no stock to watch, and what was sold as well is not gone", () => {
    const missing = "Quantity: a purchase or sale needs one. Choose its column under “Columns”.";
    const text = (quantity: string) =>
      `Date,Symbol,Side,${quantity},Avg Price\n2026-01-05,A,Buy,5,10\n2026-02-05,A,Sell,2,12\n2026-02-05,B,Buy,2,12`;
    expect(lines(text("Total Qty"))).toEqual([missing, missing, missing]);
    expect(lines(text("Qty"))).toHaveLength(2);
    expect(lines(table("2026-01-05,A,Buy,,10"))).toEqual(["Quantity: a purchase or sale needs one."]);
    expect(lines(table("2026-01-05,A,Dividend,,10", "2026-01-05,B,Buy,1,10"))[0]).toBe(NO_TRADE);
  });

  it("is none in a list to watch, where the word is a plan", () => {
    expect(lines("Symbol,Name,Action\nAAPL,Apple,Buy")).toEqual([{ symbol: "AAPL", name: "Apple" }]);
    const missing = "Quantity: a purchase or sale needs one. Choose its column under “Columns”.";
    expect(lines("Date,Symbol,Action\n2026-01-05,AAPL,Buy")).toEqual([missing]);
  });

  it("is the money of a reinvestment, whose shares have a line of their own", () => {
    const money = "2026-03-05,A,Reinvestment Program,,";
    const text = (...more: readonly string[]) => table("2026-01-05,A,Buy,5,10", "2026-02-05,A,Sell,2,12", ...more);
    expect(lines(text(money))).toEqual([{ symbol: "A", quantity: "3", avgCost: "10" }, NO_TRADE]);
    expect(lines(text("2026-03-05,A,Reinvest Shares,,12"))[1]).toContain("A has sales here");
    expect(lines(text(money).replace("Quantity", "Count")).at(-1)).toContain("Choose its column");
  });
});
