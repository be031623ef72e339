/** What is odd about EODHD: a listing without a trade today, and words that its search does not take. */
import { describe, expect, it } from "vitest";
import { eodhd } from "../../../src/quotes/sources/eodhd.ts";

const RICHTER = { symbol: "RICHTER.BUD", mic: "XBUD", currency: "HUF" };
const STOCK = { symbol: "STOCK.US", mic: null, currency: "USD" };

it("a listing without a trade today has a close before, an unknown one has nothing", () => {
  const nothing = { timestamp: "NA", gmtoffset: 0, open: "NA", close: "NA", volume: "NA" };
  const body = [
    { code: "STOCK.US", ...nothing, previousClose: "NA" },
    { code: "RICHTER.BUD", ...nothing, previousClose: 12_880 },
  ];
  expect(eodhd.readQuotes([RICHTER, STOCK], { status: 200, body })).toEqual([
    { untraded: { lastClose: "12880" } },
    { refused: "unknown" },
  ]);
});

describe("a search", () => {
  it.each([
    ["BRK.B", "BRK-B"],
    [" brk.b ", "brk-b"],
    ["BIP.UN", "BIP-UN"],
    ["BAC.PR.L", "BAC-PR-L"],
    ["BP.", "BP"],
    ["Amazon.com", "Amazon com"],
    ["U.S. Bancorp", "U S  Bancorp"],
    ["Berkshire Hathaway", "Berkshire Hathaway"],
    ["..", "-"],
  ])("for %j has no dot, which it would find nothing for: %j", (q, words) => {
    const { pathname } = new URL(eodhd.searchRequest(q, { key: "k", baseUrl: undefined }).url);
    expect(decodeURIComponent(pathname)).toBe(`/api/search/${words}`);
    expect(eodhd.searchWords(q)).toBe(words);
  });
});
