/** What a search finds, what comes first, and what is marked. */
import { describe, expect, it } from "vitest";
import { searchWords } from "../../../../../src/contract/fold-text.ts";
import { rankStocks } from "../../../../../src/contract/screen/list-order.ts";
import { findMarks } from "../../../../../src/ui/stocks/list/row/marked-text.tsx";
import { foldedStock, searchStocks } from "../../../../../src/ui/stocks/list/shown/search-stocks.ts";
import { stockOf } from "../form/stock-of.ts";

const STOCKS = [
  stockOf({ symbol: "ZZZ", name: "Umbrella", tags: ["bank"] }),
  stockOf({ symbol: "SNAB", name: "A bank of the north" }),
  stockOf({ symbol: "BANKX", name: "Something" }),
  stockOf({ symbol: "BANK", name: "Exactly" }),
  stockOf({ symbol: "NESN", name: "Nestlé", exchange: "XSWX", sector: "Food" }),
];

const found = (search: string): string[] =>
  rankStocks(searchStocks(STOCKS, searchWords(search)), searchWords(search), foldedStock).map(({ symbol }) => symbol);

const marked = (text: string, search: string): string =>
  findMarks(text, searchWords(search))
    .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
    .join("");

describe("a search", () => {
  it("puts the exact symbol first, then its start, then a word of the name, then the rest", () => {
    expect(found("bank")).toEqual(["BANK", "BANKX", "SNAB", "ZZZ"]);
  });

  it.each([
    ["case", "nesn"],
    ["accents", "NESTLE"],
    ["the order of words", "food nest"],
    ["blanks around it", "  nestlé "],
  ])("does not mind %s", (_, search) => {
    expect(found(search)).toEqual(["NESN"]);
  });

  it("needs all of its words, and no word spans two fields", () => {
    expect([found("bank umbrella"), found("nestle apple"), found("nesnnestle")]).toEqual([["ZZZ"], [], []]);
  });

  it("keeps the order it was given when it is blank", () => {
    expect(found(" ")).toEqual(["ZZZ", "SNAB", "BANKX", "BANK", "NESN"]);
  });
});

describe("marks", () => {
  it.each([
    ["Nestlé", "nestle", "[Nestlé]"],
    ["Münchener Rück", "ruck mun", "[Mün]chener [Rück]"],
    ["Ærø & Straße", "aer stras", "[Ær]ø & [Straß]e"],
    ["AAA", "aa", "[AAA]"],
    ["🚀 Rocket 🏦 Lab", "rocket lab", "🚀 [Rocket] 🏦 [Lab]"],
    ["🚀 Rocket", "🚀", "[🚀] Rocket"],
    ["<b>Bold</b>", "b>", "<[b>]Bold</[b>]"],
    ["Apple", "pear", "Apple"],
    ["Apple", " ", "Apple"],
  ])("in %s for %s", (text, search, expected) => {
    expect(marked(text, search)).toBe(expected);
  });

  it("make up the whole text together", () => {
    const text = "Société Générale 🏦 ﬁn";
    expect(
      findMarks(text, searchWords("gen fi"))
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  });
});
