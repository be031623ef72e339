/** Tables of other programs: what their columns mean, how they write numbers, and that every line has an outcome. */
import { describe, expect, it } from "vitest";
import { exportCsv } from "../../../../src/ui/stocks/export/save-export.ts";
import type { ImportChoices } from "../../../../src/ui/stocks/import/read/import-choices.ts";
import { type ImportReading, readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

const YAHOO =
  "Symbol,Current Price,Date,Time,Change,Open,High,Low,Volume,Trade Date,Purchase Price,Quantity,Commission,High Limit,Low Limit,Comment,Transaction Type";

type Table = Extract<ImportReading, { kind: "table" }>;

const readTable = (text: string, choices?: ImportChoices): Table => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind !== "table") throw new Error(`Read as ${JSON.stringify(reading)}`);
  return reading;
};

/** Outcomes by line, without what is the same everywhere. */
const outcomes = (text: string, choices?: ImportChoices): unknown[] =>
  readTable(text, choices).rows.map(({ lastLine: _, source: __, ...row }) => row);

const drafts = (text: string, choices?: ImportChoices): unknown[] =>
  readTable(text, choices).rows.flatMap<unknown>((row) =>
    row.kind === "draft" ? [row.draft] : row.kind === "problem" ? [row.problem] : [],
  );

const columns = (text: string, choices?: ImportChoices): string[] =>
  readTable(text, choices).columns.map(({ name, field }) => `${name}: ${field}`);

describe("Yahoo's export", () => {
  it("has its purchases combined, its cash left out, its watched symbols kept", () => {
    const lines = [
      YAHOO,
      "AAPL,190.5,2026/11/20,16:00 EST,,,,,,20200101,100,10,0,,,first,BUY",
      "AAPL,190.5,2026/11/20,16:00 EST,,,,,,20210101,160,20,0,,,second,BUY",
      "$$CASH,,,,,,,,,,,100,,,,,",
      "MSFT,400,2026/11/20,16:00 EST,,,,,,,,,,500,300,,",
    ];
    const price = { lastPriceAt: "2026-11-20T00:00:00Z", lastPriceSource: "import" };
    expect(outcomes(lines.join("\r\n"))).toEqual([
      { line: 1, kind: "skipped", reason: "Header." },
      {
        line: 2,
        kind: "draft",
        draft: { symbol: "AAPL", quantity: "30", avgCost: "140", lastPrice: "190.5", ...price, notes: "first\nsecond" },
        notes: ["2 lines combined."],
      },
      { line: 3, kind: "merged", intoLine: 2 },
      { line: 4, kind: "skipped", reason: "Cash is not a stock." },
      {
        line: 5,
        kind: "draft",
        draft: { symbol: "MSFT", targetLow: "300", targetHigh: "500", lastPrice: "400", ...price },
        notes: [],
      },
    ]);
  });

  it("names the columns it leaves out", () => {
    const { columns: all } = readTable(`${YAHOO}\nAAPL`);
    expect(all.filter(({ field }) => field === null).map(({ name }) => name)).toEqual([
      ...["Time", "Change", "Open", "High", "Low", "Volume", "Trade Date", "Commission"],
    ]);
  });
});

it.each([
  ["Yahoo's", `${YAHOO}\nA,,,,,,,,,,"80,5","12,345",,,,,\n`],
  ["our own", `${exportCsv([])}A,,,,stock,USD,"12,345","80,5",no,,,,,,,,\n`],
])(
  "a spreadsheet that writes decimal commas has saved %s file: its cells tell, and the person before them",
  (_, text) => {
    expect(drafts(text)).toMatchObject([{ quantity: "12.345", avgCost: "80.5" }]);
    expect(drafts(text.replace("80,5", "80.5"))).toMatchObject([{ quantity: "12345", avgCost: "80.5" }]);
    expect(drafts(text.replace("80,5", "80"))).toMatchObject([{ quantity: "12345", avgCost: "80" }]);
    expect(drafts(text.replace("80,5", "80"), { decimals: "comma" })).toMatchObject([{ quantity: "12.345" }]);
  },
);

it("Wealthfolio's holdings count on their latest day, and pence stay pence", () => {
  const text =
    "date,symbol,quantity,price,currency\n2026-01-01,VOD.L,10,70.5,GBp\n2026-02-01,VOD.L,12,71.5,GBp\n2026-02-01,$CASH-USD,5,1,USD\n";
  expect(outcomes(text)).toEqual([
    { line: 1, kind: "skipped", reason: "Header." },
    { line: 2, kind: "skipped", reason: "An older date; the latest one is used." },
    { line: 3, kind: "draft", draft: { symbol: "VOD.L", currency: "GBX", quantity: "12", avgCost: "71.5" }, notes: [] },
    { line: 4, kind: "skipped", reason: "Cash is not a stock." },
  ]);
});

it("a stock that Wealthfolio's latest day lacks is not taken for one that is held", () => {
  const aapl = ["2026-01-01,AAPL,10,180,USD", "2026-02-01,AAPL,12,181,USD"];
  const msft = "2026-01-01,MSFT,5,400,USD";
  const file = (...lines: string[]): string => ["date,symbol,quantity,price,currency", ...lines].join("\n");
  const older = { kind: "skipped", reason: "An older date; the latest one is used." };
  // Skipped, and not a problem: it is not among the lines that are left over to be imported once more.
  const sold = {
    kind: "skipped",
    reason:
      "Not among the holdings of 2026-02-01, the latest day here: probably sold. If you still hold it, import this line alone, below its header.",
  };
  const held = { symbol: "AAPL", quantity: "12" };
  expect(outcomes(file(...aapl, msft))).toMatchObject([{ line: 1 }, older, { kind: "draft", draft: held }, sold]);
  // Cash alone shows both that there are several days and which is the latest.
  const cash = ["2026-01-01,$CASH-USD,9,1,USD", "2026-02-01,$CASH-USD,2009,1,USD"];
  expect(outcomes(file(msft, ...cash))[1]).toMatchObject(sold);
  // A line that cannot be read is of its day all the same.
  expect(outcomes(file(msft, aapl[0] ?? "", "2026-02-01,AAPL,x,181,USD"))).toMatchObject([
    ...[{ line: 1 }, sold, older],
    { kind: "problem", problem: expect.stringMatching("“x” is not") },
  ]);
  // Each stock on one day alone: the day may be that of its purchase.
  expect(drafts(file(msft, aapl[1] ?? ""))).toMatchObject([{ symbol: "MSFT", quantity: "5" }, held]);
});

it.each([...["Total", "TOTALS:", "Grand total", "Subtotal", "Summe"], ...["Account Total", "Positions Total"]])(
  "a line of totals is no stock: %s",
  (total) => {
    expect(outcomes(`Symbol,Quantity,Value\nAAPL,2,500\n${total},,500\n`)).toMatchObject([
      { line: 1, kind: "skipped" },
      { line: 2, kind: "draft", draft: { symbol: "AAPL" } },
      { line: 3, kind: "skipped", reason: "A totals line." },
    ]);
  },
);

describe("any table", () => {
  it.each([
    ['symbol,qty,cost per share\nA,5,"$1,234.56"', { symbol: "A", quantity: "5", avgCost: "1234.56" }],
    ["Ticker;Shares;Avg Cost\nA;1.234;180,50", { symbol: "A", quantity: "1234", avgCost: "180.5" }],
    ["Ticker\tShares\tAvg Cost\nA\t1,234\t180.50", { symbol: "A", quantity: "1234", avgCost: "180.5" }],
    ["symbol|qty\nA|1 234,5", { symbol: "A", quantity: "1234.5" }],
    ["symbol,qty\nA,1.234", { symbol: "A", quantity: "1.234" }],
    [
      "ISIN,Symbol,Sector,Watchlist,Asset Class\nus0378331005,a,Tech,x,Equity",
      { symbol: "A", isin: "US0378331005", assetType: "stock", watched: true, sector: "Tech" },
    ],
    ['symbol,market,tags\nA,nasdaq,"x, #y"', { symbol: "A", exchange: "XNAS", tags: ["x", "y"] }],
    ["symbol,qty,comment\nA,-,'=1+1", { symbol: "A", notes: "=1+1" }],
    ["Symbol\nA", { symbol: "A" }],
  ])("%j", (text, draft) => {
    expect(drafts(text)).toEqual([draft]);
  });

  it.each([
    ["symbol,qty\n,5", "The symbol is missing on this line."],
    ["symbol,qty\nn/a,5", "The symbol is missing on this line."],
    ["symbol,qty\n#N/A,5", "The symbol is missing on this line."],
    ["symbol,qty\n-,5", "The symbol is missing on this line."],
    ["symbol,qty\n=CMD,5", "Symbol: use 1 to 32 letters, digits or . - ^ = /."],
    ["symbol,qty\nA,-5", "Quantity: Use 0 or more."],
    [
      "symbol,qty,avg cost\nA,N/A,5",
      "Quantity: “N/A” is not a number. Write how many you hold, or leave the cell empty to watch the stock.",
    ],
    ["symbol,qty,avg cost\nA,5,abc", "Average cost: “abc” is not a number. Write a number such as 1234.5."],
    ["symbol,currency\nA,XYZ", "Currency: use a code such as USD, EUR or GBX."],
    [
      "symbol,avg cost,qty,currency\nA,£5,1,USD",
      "Average cost: This amount is in USD. Change the currency, or write the number alone.",
    ],
    [
      "symbol,qty\nA,1,234",
      "This line has more cells than the header. Put cells that contain the separator in quotation marks.",
    ],
    [
      'symbol,notes\nA,"open',
      'A quotation mark is not closed or not doubled. Write "" for a quotation mark inside a cell.',
    ],
    [
      "symbol;qty\nA;1.234",
      "Quantity: This could be 1234, or 1 and a fraction. Choose how this column writes decimals.",
    ],
  ])("%j is a problem: %s", (text, problem) => {
    expect(drafts(text)).toEqual([problem]);
  });

  it("says what it leaves out of a stock", () => {
    expect(outcomes("symbol,avg cost,market,low limit,type\nA,5,Mars,0,spoon")[1]).toEqual({
      line: 2,
      kind: "draft",
      draft: { symbol: "A", assetType: "other" },
      notes: [
        "The average cost is left out: it needs a quantity above 0.",
        "Low target 0 is left out.",
        "Mars is not a market code; the exchange is left empty.",
        "Unknown type spoon: imported as other.",
      ],
    });
  });

  it("says that a holding is sold: one of the list then has no average cost any more", () => {
    expect(outcomes("symbol,qty,avg cost\nA,0,\nB,0.00,5\nC,,").slice(1)).toEqual([
      { line: 2, kind: "draft", draft: { symbol: "A", quantity: "0", avgCost: null }, notes: [] },
      {
        line: 3,
        kind: "draft",
        draft: { symbol: "B", quantity: "0", avgCost: null },
        notes: ["The average cost is left out: it needs a quantity above 0."],
      },
      { line: 4, kind: "draft", draft: { symbol: "C" }, notes: [] },
    ]);
  });

  it.each([
    ["N/A", "No average cost on this line: it says “N/A”."],
    ["n/a", "No average cost on this line: it says “n/a”."],
    ["-", "No average cost on this line: it says “-”."],
    ["--", "No average cost on this line: it says “--”."],
    ["", "No average cost on this line."],
  ])("says of a holding that its cost is %j", (cost, note) => {
    expect(outcomes(`symbol,qty,avg cost\nA,5,${cost}`)[1]).toMatchObject({ draft: { quantity: "5" }, notes: [note] });
    expect(outcomes(`symbol,qty,avg cost\nA,,${cost}`)[1]).toMatchObject({ notes: [] });
  });

  it("says of a holding that its price is in words, and not that it is empty", () => {
    expect(outcomes("symbol,qty,last price\nA,5,n/a")[1]).toMatchObject({
      notes: ["No last price on this line: it says “n/a”."],
    });
    expect(outcomes("symbol,qty,last price\nA,5,")[1]).toMatchObject({ notes: [] });
  });

  it("tells duplicates, and lines that a cell breaks over", () => {
    const rows = readTable('symbol,notes\nA,"x\ny"\n\n\nA,\nB,z\n').rows;
    expect(rows.map(({ line, lastLine, kind }) => [line, lastLine, kind])).toEqual([
      [1, 1, "skipped"],
      [2, 3, "draft"],
      [4, 5, "skipped"],
      [6, 6, "duplicate"],
      [7, 7, "draft"],
    ]);
  });
});

describe("a person's choice", () => {
  const text = "Foo,Bar,Baz\nA,1.234,5\n";

  it("maps columns by place, and takes a field from the column that was guessed", () => {
    const choices: ImportChoices = {
      shape: "table",
      hasHeader: true,
      mapping: { 0: "symbol", 1: "quantity", 2: null },
    };
    expect(columns(text, choices)).toEqual(["Foo: symbol", "Bar: quantity", "Baz: null"]);
    expect(columns("symbol,qty,shares\nA,1,2", { mapping: { 2: "quantity" } })).toEqual([
      "symbol: symbol",
      "qty: null",
      "shares: quantity",
    ]);
  });

  it("settles the decimals, the header, the currency and the purchases", () => {
    expect(drafts("symbol;qty\nA;1.234", { decimals: "comma" })).toEqual([{ symbol: "A", quantity: "1234" }]);
    expect(drafts("symbol;qty\nA;1.234", { decimals: "point" })).toEqual([{ symbol: "A", quantity: "1.234" }]);
    expect(drafts("A,5\nB,6", { mapping: { 1: "quantity" }, currency: "EUR" })).toEqual([
      { symbol: "A", currency: "EUR", quantity: "5" },
      { symbol: "B", currency: "EUR", quantity: "6" },
    ]);
    expect(drafts("symbol,qty\nA,1\nA,2", { lots: "merge" })).toEqual([{ symbol: "A", quantity: "3" }]);
  });
});
