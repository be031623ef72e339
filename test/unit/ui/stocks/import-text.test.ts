/** Lists, JSON, files and limits: no line is lost, no text makes it throw. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFile } from "../../../../src/ui/stocks/import/read/decode-file.ts";
import { mergeLots } from "../../../../src/ui/stocks/import/read/join-stocks.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

const SEED = 20_261_122;

const outcomes = (text: string): unknown => {
  const reading = readImport(text, "en-US");
  return reading.kind === "refused" ? reading : reading.rows.map(({ lastLine: _, source: __, ...row }) => row);
};

describe("a list", () => {
  it("of a charting site has its sections as tags", () => {
    expect(outcomes("###Tech,NASDAQ:AAPL,FX:EURUSD,###Energy,NYSE:XOM")).toEqual([
      { line: 1, kind: "skipped", reason: "Section heading; becomes a tag of the symbols below it." },
      { line: 1, kind: "draft", draft: { symbol: "AAPL", exchange: "XNAS", tags: ["Tech"] }, notes: [] },
      {
        line: 1,
        kind: "draft",
        draft: { symbol: "EURUSD", tags: ["Tech"] },
        notes: ["FX is not a known market code; the exchange is left empty."],
      },
      { line: 1, kind: "skipped", reason: "Section heading; becomes a tag of the symbols below it." },
      { line: 1, kind: "draft", draft: { symbol: "XOM", exchange: "XNYS", tags: ["Energy"] }, notes: [] },
    ]);
  });

  it("may name a stock by its ISIN, which stands for its symbol", () => {
    const isin = "US0378331005";
    expect(outcomes(`${isin} 5 @ 150 USD`)).toEqual([
      {
        line: 1,
        kind: "draft",
        draft: { symbol: isin, isin, quantity: "5", avgCost: "150", currency: "USD" },
        notes: [],
      },
    ]);
  });

  it.each([
    ["NASDAQ:AAPL,NASDAQ:MSFT,CME_MINI:ES1!,XETR:SAP", ["AAPL", "MSFT", "problem", "SAP"]],
    ["###TECH,NASDAQ:AAPL,###METALS,COMEX:GC1!", ["skipped", "AAPL", "skipped", "problem"]],
    ["NASDAQ:AAPL,NYSE:XOM,(NYSE:F+NYSE:GM)/2,NASDAQ:AAPL/NYSE:XOM,SPY", ["AAPL", "XOM", "problem", "problem", "SPY"]],
  ])("of a charting site has a problem for each future and spread, and keeps the rest: %s", (text, kinds) => {
    const reading = readImport(text, "en-US");
    const rows = reading.kind === "list" ? reading.rows : [];
    expect(rows.map((row) => (row.kind === "draft" ? row.draft.symbol : row.kind))).toEqual(kinds);
  });

  it.each(["AAPL,Note: long,10:30", "NASDAQ:AAPL,https://example.com/,2026-01-02T10:30", "NASDAQ:AAPL,10,Note: x"])(
    "is not the row of a table: %s",
    (text) => {
      expect(readImport(text, "en-US").kind).toBe("table");
    },
  );

  it("of lines has one stock a line, and says what each other line is", () => {
    expect(outcomes("AAPL\nmsft 10 @ 180.5 USD #tech\n\n$$CASH\nBad Line\naapl\nIBM; SAP\n")).toEqual([
      { line: 1, kind: "draft", draft: { symbol: "AAPL" }, notes: [] },
      {
        line: 2,
        kind: "draft",
        draft: { symbol: "MSFT", quantity: "10", avgCost: "180.5", currency: "USD", tags: ["tech"] },
        notes: [],
      },
      { line: 3, kind: "skipped", reason: "Empty line." },
      { line: 4, kind: "skipped", reason: "Cash is not a stock." },
      {
        line: 5,
        kind: "problem",
        problem: "“Line” is not understood. Write a line such as AAPL 10 @ 180.5 USD #tech.",
      },
      { line: 6, kind: "duplicate", ofLine: 1 },
      { line: 7, kind: "draft", draft: { symbol: "IBM" }, notes: [] },
      { line: 7, kind: "draft", draft: { symbol: "SAP" }, notes: [] },
      { line: 8, kind: "skipped", reason: "Empty line." },
    ]);
  });
});

it("JSON may be a bare list; what is no stock is said by its place", () => {
  expect(outcomes('[{"symbol":"aapl","quantity":1.5,"tags":["a;b"],"id":"x"}, 5, {"name":"x"}]')).toEqual([
    { line: 1, kind: "draft", draft: { symbol: "AAPL", quantity: "1.5", tags: ["a;b"] }, notes: [] },
    { line: 2, kind: "problem", problem: "This is not a stock. Use an object with a symbol." },
    { line: 3, kind: "problem", problem: "The symbol is missing on this line." },
  ]);
});

it("an account's own export is read whole, by its columns' names, without what is in the trash", () => {
  const apple = {
    ...{
      id: "1",
      owner_email: "ann@example.com",
      symbol: "AAPL",
      name: "Apple",
      exchange: "XNAS",
      isin: "US0378331005",
    },
    ...{ asset_type: "etf", currency: "USD", quantity: "10", avg_cost: "180.5", watched: 0, target_low: "150" },
    ...{
      target_high: null,
      last_price: "190.5",
      last_price_at: "2026-11-20T14:30:00.000Z",
      last_price_source: "manual",
    },
    ...{ sector: "Technology", tags: ["core"], notes: null, tag_keys: ["core"], version: 2, deleted_at: null },
  };
  const trashed = { symbol: "MSFT", avg_cost: null, deleted_at: "2026-11-21T10:00:00.000Z" };
  expect(outcomes(JSON.stringify({ email: "ann@example.com", stocks: [apple, trashed], runs: [] }))).toEqual([
    {
      ...{ line: 1, kind: "draft", notes: [] },
      draft: {
        ...{ symbol: "AAPL", name: "Apple", exchange: "XNAS", isin: "US0378331005", assetType: "etf", currency: "USD" },
        ...{ quantity: "10", avgCost: "180.5", watched: false, targetLow: "150", lastPrice: "190.5" },
        ...{ lastPriceAt: "2026-11-20T14:30:00.000Z", lastPriceSource: "manual", sector: "Technology", tags: ["core"] },
      },
    },
    { line: 2, kind: "skipped", reason: "In the trash." },
  ]);
});

const BROKEN_JSON = "This is not valid JSON: it breaks off or has a mistake in it. Use an export of this app, or CSV.";

// Each import of a stock's purchases and sales replaces what an earlier one made of them.
const TOO_MANY = "There are more than 5,000 lines. Import them in parts, with all lines of a stock in the same part.";

describe("a text is refused as a whole", () => {
  it.each([
    ["", "There is nothing to import. Paste symbols or a table, or choose a file."],
    ['{"a":1}', "This JSON has no list of stocks. Use an export of this app, or CSV."],
    ['{"a":', BROKEN_JSON],
    ['[{"symbol":"ORCL"},{"sym', BROKEN_JSON],
    ["A\n".repeat(5_001), TOO_MANY],
    [`symbol,qty\n${"A,1\n".repeat(5_001)}`, TOO_MANY],
    [`Date,Symbol,Type,Quantity,Price\n${"2026-01-05,A,Buy,1,5\n".repeat(5_001)}`, TOO_MANY],
    ["x".repeat(6_000_001), "The text is over 6 MB. Split it, or leave out columns."],
  ])("%#", (text, problem) => {
    expect(readImport(text, "en-US")).toEqual({ kind: "refused", problem });
  });
});

it("any text has an outcome for every line, in order and without a gap", () => {
  const words = fc.constantFrom(
    "symbol",
    "qty",
    "notes",
    "AAPL",
    "MSFT",
    "1,234",
    "1.5",
    '"',
    '""',
    "###x",
    "#t",
    "@",
    "$$CASH",
    "=1",
    "[",
    ":",
  );
  const breaks = fc.constantFrom(",", ";", "\t", "\n", "\r\n", " ", "\n\n");
  const texts = fc
    .array(
      fc.tuple(words, breaks).map((pair) => pair.join("")),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, fc.constantFrom(undefined, "table" as const, "list" as const), (text, shape) => {
      const reading = readImport(text, "en-US", shape === undefined ? {} : { shape });
      const rows = reading.kind === "table" || reading.kind === "list" ? reading.rows : [];
      const covered = new Set(
        rows.flatMap(({ line, lastLine }) => Array.from({ length: lastLine - line + 1 }, (_, at) => line + at)),
      );
      const lines = rows.length === 0 ? 0 : text.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n").length;
      expect([...covered].slice(0, lines)).toEqual(Array.from({ length: lines }, (_, at) => at + 1));
    }),
    { numRuns: 500, seed: SEED },
  );
});

describe("purchases", () => {
  const lot = (quantity: string | null, avgCost: string | null) => ({ symbol: "A", quantity, avgCost });

  it("are averaged by quantity, exactly where ten decimals are enough", () => {
    expect(mergeLots([lot("0.1", "0.1"), lot("0.2", "0.4"), lot(null, null)])).toEqual({
      draft: { symbol: "A", quantity: "0.3", avgCost: "0.3" },
      notes: [],
    });
    expect(mergeLots([lot("10", "100"), lot("5", "150")])).toEqual({
      draft: { symbol: "A", quantity: "15", avgCost: "116.6666666667" },
      notes: ["The average cost is rounded to 10 decimals."],
    });
  });

  it("have no average where one has no price, and no sum across currencies or beyond 12 digits", () => {
    expect(mergeLots([lot("1", "5"), lot("1", null)])).toEqual({
      // Absent, it would be that of the stock in the list, beside the new quantity.
      draft: { symbol: "A", quantity: "2", avgCost: null },
      notes: ["No average cost, because a purchase has no price."],
    });
    expect(
      mergeLots([
        { ...lot("1", "5"), currency: "USD" },
        { ...lot("1", "5"), currency: "EUR" },
      ]),
    ).toEqual({
      problem: "The purchases are in several currencies. Add the stock by hand.",
    });
    const watched = { ...lot(null, null), currency: "USD" };
    expect(mergeLots([watched, { ...lot("1", "5"), currency: "EUR" }])).toHaveProperty("problem");
    expect(mergeLots([watched, { ...lot("1", "5"), currency: "USD" }])).toHaveProperty("draft.currency", "USD");
    expect(mergeLots([lot("999999999999", "1"), lot("1", "1")])).toEqual({
      problem: "The purchases add up to more than 12 digits. Add the stock by hand.",
    });
  });
});

describe("a file", () => {
  it.each([
    [[0x41, 0xc3, 0xa9], "Aé"],
    [[0xff, 0xfe, 0x41, 0, 0xe9, 0], "Aé"],
    [[0xfe, 0xff, 0, 0x41, 0, 0xe9], "Aé"],
    [[0x41, 0xe9], "Aé"],
    // A replacement character that somebody has saved, and a byte order mark before it.
    [[0xef, 0xbb, 0xbf, 0xef, 0xbf, 0xbd, 0xc3, 0xa9], "\ufffdé"],
  ])("of the bytes %j is text", (bytes, text) => {
    expect(decodeFile(new Uint8Array(bytes), "en-US")).toEqual({ text });
  });

  it.each([
    ["pl-PL", [0xb9], "ą"],
    ["sr-Latn-RS", [0xe8], "č"],
    ["sr", [0xe8], "и"],
    ["el", [0xe8], "θ"],
    ["tr-TR", [0xf0], "ğ"],
    ["he", [0xe8], "ט"],
    ["lt", [0xe8], "č"],
    ["de-CH", [0xe8], "è"],
    ["", [0xe8], "è"],
    ["ja-JP", [0x93, 0xfa], "日"],
    ["ko", [0xc7, 0xd1], "한"],
    ["zh-CN", [0xd6, 0xd0], "中"],
    ["zh-Hans-HK", [0xd6, 0xd0], "中"],
    ["zh-TW", [0xa4, 0xa4], "中"],
    ["zh-Hant", [0xa4, 0xa4], "中"],
  ])("of an older program is read as Windows saves it in %j", (language, bytes, text) => {
    expect(decodeFile(new Uint8Array(bytes), language)).toEqual({ text });
  });

  it("that is no text or too big is refused", () => {
    expect([decodeFile(new Uint8Array([0x50, 0x4b, 0]), "en"), decodeFile(new Uint8Array(6_000_001), "en")]).toEqual([
      { problem: "This is not a text file. Save it as CSV, or copy the cells and paste them." },
      { problem: "The file is over 6 MB. Split it, or leave out columns." },
    ]);
  });
});
