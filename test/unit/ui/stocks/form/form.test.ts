/** The form's pure parts: what is typed, read, compared and sent. */
import { describe, expect, it } from "vitest";
import { compareVersions, mergeVersions } from "../../../../../src/ui/stocks/form/conflict-view.tsx";
import { draftOf, EMPTY_FORM, formOf, mergeTags, patchOf } from "../../../../../src/ui/stocks/form/form-values.ts";
import { expandLine } from "../../../../../src/ui/stocks/form/quick-add.ts";
import { readForm, readingOf } from "../../../../../src/ui/stocks/form/read-form.ts";
import { stockOf } from "./stock-of.ts";

/** The JSON that would be sent: what is undefined is not part of it. */
const sent = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

describe("reading", () => {
  it("a form that nobody touched says what the stock says, in any locale", () => {
    const stock = stockOf();
    const readings = ["en-US", "de-DE", "ar-EG", "hi-IN"].map((locale) => readForm(formOf(stock, locale), locale));
    const expected = { values: readingOf(stock), problems: {} };
    expect(readings).toEqual([expected, expected, expected, expected]);
  });

  it("amounts are read in the locale's spelling", () => {
    const form = { ...EMPTY_FORM, symbol: "SAP", quantity: "1.234,5", avgCost: "99,90 €", currency: "EUR" };
    expect(readForm(form, "de-DE")).toMatchObject({ values: { quantity: "1234.5", avgCost: "99.9" }, problems: {} });
  });

  it("a comma or a point that can only stand before decimals is read as that", () => {
    const form = { ...EMPTY_FORM, symbol: "SAP", avgCost: "141,5", lastPrice: "1,234", targetLow: "1,2,3" };
    expect(readForm(form, "en-US")).toMatchObject({
      values: { avgCost: "141.5", lastPrice: "1234" },
      problems: { targetLow: expect.stringContaining("1,2,3") },
    });
  });

  it("each field that makes no sense is named with its remedy", () => {
    const form = { ...EMPTY_FORM, symbol: "$$", quantity: "many", avgCost: "-1", targetLow: "0", lastPrice: "€5" };
    expect(readForm(form, "en-US").problems).toEqual({
      symbol: "Use 1 to 32 letters, digits or . - ^ = /.",
      quantity: "Write a number such as 1234.5.",
      avgCost: "Use 0 or more.",
      targetLow: "Use more than 0.",
      lastPrice: "This amount is in USD. Change the currency, or write the number alone.",
    });
  });

  it("an empty symbol is asked for by example", () => {
    expect(readForm(EMPTY_FORM, "en-US").problems).toEqual({ symbol: "Type a symbol, such as AAPL." });
  });
});

describe("a line in the symbol's field", () => {
  it("fills the fields it speaks of and leaves the others", () => {
    const typed = { ...EMPTY_FORM, symbol: "aapl 10 @ 180,5 EUR #tech", name: "Apple", tags: ["Tech"] };
    expect(expandLine(typed, "de-DE")).toEqual({
      values: { ...typed, symbol: "AAPL", quantity: "10", avgCost: "180,5", currency: "EUR", tags: ["Tech"] },
      problem: undefined,
    });
  });

  it("a plain symbol is only written as it is kept", () => {
    expect(expandLine({ ...EMPTY_FORM, symbol: " brk.b " }, "en-US").values.symbol).toBe("BRK.B");
  });

  it("a line that cannot be read stays, with the reason", () => {
    const typed = { ...EMPTY_FORM, symbol: "AAPL ten" };
    const { values, problem } = expandLine(typed, "en-US");
    expect(values).toEqual(typed);
    expect(problem).toMatch(/^“ten” is not understood/);
  });

  it("a symbol that is none is refused in words that do not name its field again", () => {
    const typed = { ...EMPTY_FORM, symbol: "NASDAQ:AA,PL" };
    expect(expandLine(typed, "en-US").problem).toBe("Use 1 to 32 letters, digits or . - ^ = /.");
  });
});

describe("what is sent", () => {
  it("a new stock holds only what was said", () => {
    const { values } = readForm({ ...EMPTY_FORM, symbol: "nvda" }, "en-US");
    expect(sent(draftOf(values))).toEqual({ symbol: "NVDA", assetType: "stock", currency: "USD" });
  });

  it("an edit holds the changed fields alone, cleared ones as null", () => {
    const stock = stockOf();
    const form = { ...formOf(stock, "en-US"), quantity: "70.0", notes: " ", sector: " Technology " };
    const { values } = readForm(form, "en-US");
    expect(sent(patchOf(readingOf(stock), values))).toEqual({ quantity: "70", notes: null });
  });

  it("an amount written in another way is no change", () => {
    const stock = stockOf();
    const { values } = readForm({ ...formOf(stock, "en-US"), avgCost: "$180.50" }, "en-US");
    expect(patchOf(readingOf(stock), values)).toBeUndefined();
  });

  it("notes in which accents are characters of their own are no change", () => {
    const stock = stockOf({ notes: "Nestle\u0301" });
    const { values } = readForm(formOf(stock, "en-US"), "en-US");
    expect(patchOf(readingOf(stock), values)).toBeUndefined();
  });

  it("a name that followed the symbol follows it on", () => {
    const stock = stockOf({ symbol: "FB", name: "FB" });
    const { values } = readForm({ ...formOf(stock, "en-US"), symbol: "META" }, "en-US");
    expect(sent(patchOf(readingOf(stock), values))).toEqual({ symbol: "META", name: null });
  });
});

describe("two versions", () => {
  const base = readingOf(stockOf());
  const mine = { ...base, quantity: "70", notes: "Mine", tags: ["tech"] };
  const theirs = { ...base, quantity: "65", sector: "Hardware", tags: ["tech"] };

  it("differ in the fields that would come out differently, with who changed them", () => {
    expect(compareVersions(base, mine, theirs)).toEqual([
      { field: "quantity", by: "both" },
      { field: "notes", by: "me" },
      { field: "sector", by: "them" },
    ]);
  });

  it("are put together by choice, and only what differs from the saved one is sent", () => {
    const merged = mergeVersions(mine, theirs, new Set(["notes"]));
    expect(merged).toEqual({ ...theirs, notes: "Mine" });
    expect(sent(patchOf(theirs, merged))).toEqual({ notes: "Mine" });
  });
});

it("tags that differ in case alone are one, in the first spelling", () => {
  expect(mergeTags(["Tech"], ["tech", "new", "NEW"])).toEqual(["Tech", "new"]);
});
