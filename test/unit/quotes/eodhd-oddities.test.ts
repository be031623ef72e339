/** What is odd about EODHD: a listing without a trade today. */
import { expect, it } from "vitest";
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
    { isUntraded: true },
    { refused: "unknown" },
  ]);
});
