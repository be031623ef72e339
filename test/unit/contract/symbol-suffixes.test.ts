import { expect, it } from "vitest";
import { guessBySuffix, withoutSuffix } from "../../../src/contract/prices/symbol-suffixes.ts";
import { CURRENCY_CODES } from "../../../src/contract/stocks/currency-codes.ts";

it.each([
  ["SAP.DE", "XETR", "SAP"],
  ["SAP.DE", "XFRA", "SAP.DE"],
  ["SAP", "XETR", "SAP"],
  ["BRK.B", "XNYS", "BRK.B"],
  ["7203.T", "XTKS", "7203"],
  ["VOD.L", undefined, "VOD"],
  ["BRK.B", undefined, "BRK.B"],
])("%s at %s is asked for as %s", (symbol, exchange, asked) => {
  expect(withoutSuffix(symbol, exchange)).toBe(asked);
});

it("every ending names a market code and a currency that a stock can have", () => {
  const endings = [
    "L",
    "DE",
    "PA",
    "AS",
    "MI",
    "T",
    "HK",
    "TO",
    "AX",
    "SW",
    "ST",
    "CO",
    "OL",
    "HE",
    "KS",
    "TWO",
    "JO",
    "TA",
  ];
  const guesses = endings.map((ending) => guessBySuffix(`1.${ending}`));
  expect(guesses.filter((guess) => guess === undefined || !/^[A-Z]{4}$/.test(guess.exchange))).toEqual([]);
  expect(guesses.filter((guess) => !CURRENCY_CODES.has(guess?.currency ?? ""))).toEqual([]);
});
