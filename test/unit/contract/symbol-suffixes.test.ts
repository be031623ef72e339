import { expect, it } from "vitest";
import { guessByMarket, guessBySuffix, withoutSuffix } from "../../../src/contract/prices/symbol-suffixes.ts";
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

it.each([
  ["DLR-U.TO", "USD"],
  ["DLR.U.TO", "USD"],
  ["REI-UN.TO", "CAD"],
  ["U.TO", "CAD"],
  ["80700.HK", "CNY"],
  ["0700.HK", "HKD"],
  ["8083.HK", "HKD"],
  ["900901.SS", "USD"],
  ["600519.SS", "CNY"],
  ["200596.SZ", "HKD"],
  ["000858.SZ", "CNY"],
  ["VWRA.L", "USD"],
  ["VUAA.L", "USD"],
])("%s is in %s, whatever the rest of its market trades in", (symbol, currency) => {
  expect(guessBySuffix(symbol)).toMatchObject({ currency });
  const exchange = guessBySuffix(symbol)?.exchange ?? "";
  expect(guessByMarket(withoutSuffix(symbol), exchange)).toMatchObject({ currency });
});

it.each(["BAC.PR.L", "WFC.PR.L", "MET.PR.F"])(
  "%s is a preferred share of America: its last letter is no market",
  (symbol) => {
    expect(guessBySuffix(symbol)).toBeUndefined();
    expect(withoutSuffix(symbol)).toBe(symbol);
    expect(guessBySuffix("CEZ.PR")).toMatchObject({ exchange: "XPRA" });
  },
);
