/** Symbols, exchanges, currencies, ISINs and the texts of a stock (api.md §5). */
import { describe, expect, it } from "vitest";
import { Currency, ExchangeCode, Isin, StockSymbol } from "../../../src/contract/stocks/instrument.ts";
import { majorCurrency } from "../../../src/contract/stocks/major-currency.ts";
import { StockDraft, StockPatch } from "../../../src/contract/stocks/stock-values.ts";

describe("a symbol", () => {
  it.each([
    ["aapl", "AAPL"],
    ["  msft ", "MSFT"],
    ["BRK.B", "BRK.B"],
    ["BF/B", "BF/B"],
    ["^gspc", "^GSPC"],
    ["EURUSD=X", "EURUSD=X"],
    ["M&M.NS", "M&M.NS"],
    ["BP.", "BP."],
    ["BAC$L", "BAC$L"],
    ["7203.T", "7203.T"],
    ["A", "A"],
    ["ＡＡＰＬ", "AAPL"],
    ["A".repeat(32), "A".repeat(32)],
  ])("%j is taken as %j", (input, symbol) => {
    expect(StockSymbol.parse(input)).toBe(symbol);
  });

  it.each([
    "",
    " ",
    "A B",
    "$$CASH",
    "=CMD",
    "-X",
    "<b>",
    "AAPL-",
    "^",
    "A".repeat(33),
    `^${"A".repeat(32)}`,
    "ÅB",
    "A\nB",
    5,
  ])("%j is refused with the remedy", (input) => {
    expect(StockSymbol.safeParse(input).error?.issues[0]?.message).toBe("use 1 to 32 letters, digits or . - ^ = /");
  });
});

it.each([
  ["xnas", "XNAS"],
  [" XETR ", "XETR"],
  ["ZZ99", "ZZ99"],
])("exchange %j is taken as %j, known or not", (input, code) => {
  expect(ExchangeCode.parse(input)).toBe(code);
});

it.each(["NASDAQ", "XNA", "", "XN S"])("exchange %j is refused", (input) => {
  expect(ExchangeCode.safeParse(input).success).toBe(false);
});

describe("a currency", () => {
  it.each([
    ["usd", "USD"],
    ["GBp", "GBX"],
    [" GBp ", "GBX"],
    ["GBX", "GBX"],
    ["gbx", "GBX"],
    ["GBP", "GBP"],
    ["gbp", "GBP"],
    ["ZAc", "ZAC"],
    ["ILA", "ILA"],
    ["JPY", "JPY"],
  ])("%j is %s", (input, code) => {
    expect(Currency.parse(input)).toBe(code);
  });

  it.each(["US", "USDT", "ZZZ", "", "€", 840])("%j is refused", (input) => {
    expect(Currency.safeParse(input).error?.issues[0]?.message).toBe("use a currency code such as USD, EUR or GBX");
  });

  it("in hundredths counts into its own", () => {
    expect(["GBX", "ZAC", "ILA", "USD"].map(majorCurrency)).toEqual([
      { code: "GBP", divisor: 100 },
      { code: "ZAR", divisor: 100 },
      { code: "ILS", divisor: 100 },
      { code: "USD", divisor: 1 },
    ]);
  });
});

it.each(["US0378331005", "us0378331005", "DE0007164600", "GB0002634946", "AU0000XVGZA3", "CH0038863350"])(
  "ISIN %s is taken",
  (input) => {
    expect(Isin.parse(input)).toBe(input.toUpperCase());
  },
);

it.each(["US0378331006", "US037833100", "0378331005US", "US03783310055", "", "AU0000XVGZA4"])(
  "ISIN %j is refused",
  (input) => {
    expect(Isin.safeParse(input).success).toBe(false);
  },
);

describe("a draft", () => {
  it("merges doubled tags in the first spelling, whatever their case", () => {
    const { tags } = StockDraft.parse({ symbol: "A", tags: [" Tech ", "TECH", "bank", "Bank", "Énergie", "énergie"] });
    expect(tags).toEqual(["Tech", "bank", "Énergie"]);
  });

  it("counts tags after merging", () => {
    const doubled = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? `t${index}` : `T${index - 1}`));
    expect(StockDraft.parse({ symbol: "A", tags: doubled }).tags).toHaveLength(20);
  });

  it.each([
    { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
    { tags: [""] },
    { tags: ["x".repeat(33)] },
    { tags: "tech" },
    { notes: "x".repeat(4_001) },
    { notes: "bell\u0007" },
    { name: "x".repeat(121) },
    { name: "two\nlines" },
    { watched: "true" },
    { watched: 1 },
    { assetType: "bond" },
    { lastPriceAt: "" },
    { lastPriceAt: "yesterday" },
    { lastPriceAt: "2026-11-20" },
    { lastPriceAt: "2026-02-30T00:00:00Z" },
    { owner: "x" },
    { version: 1 },
    { updatedVia: "import" },
  ])("with bad fields is refused, case %#", (fields) => {
    expect(StockDraft.safeParse({ symbol: "A", ...fields }).success).toBe(false);
  });

  it("takes longest texts, counted in UTF-16 units", () => {
    const longest = { symbol: "A", name: "x".repeat(120), notes: "🙂".repeat(2_000), tags: ["x".repeat(32)] };
    expect(StockDraft.parse(longest)).toEqual(longest);
  });

  it("is kept in NFC: an accent that is a character of its own becomes one with its letter", () => {
    const texts = { name: "Nestle\u0301", sector: "E\u0301nergie", notes: "Nestle\u0301", tags: ["E\u0301nergie"] };
    expect(StockDraft.parse({ symbol: "A", ...texts })).toEqual({
      ...{ symbol: "A", name: "Nestl\u00e9", sector: "\u00c9nergie", notes: "Nestl\u00e9", tags: ["\u00c9nergie"] },
    });
  });

  it("reads blank texts as none and times as UTC", () => {
    const draft = { symbol: "A", name: " ", notes: "", sector: "", lastPriceAt: "2026-11-20T15:30:00+01:00" };
    expect(StockDraft.parse(draft)).toEqual({
      symbol: "A",
      name: null,
      notes: null,
      sector: null,
      lastPriceAt: "2026-11-20T14:30:00.000Z",
    });
  });

  it.each([
    '{"symbol":"A","__proto__":{"watched":true}}',
    '{"symbol":"A","constructor":1}',
    '{"symbol":"A","toString":1}',
  ])("%s is refused", (json) => {
    expect(StockDraft.safeParse(JSON.parse(json)).success).toBe(false);
  });

  it("needs a symbol where a patch does not, and no patch can clear it", () => {
    expect(StockDraft.safeParse({}).success).toBe(false);
    expect(StockPatch.safeParse({}).success).toBe(true);
    expect(StockPatch.safeParse({ symbol: null }).success).toBe(false);
  });
});
