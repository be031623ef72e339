/** A split that a source tells by shifting all its closes, and when their market's day counts as one of them. */
import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../../src/db/prices/instruments.ts";
import { closesBehind } from "../../../src/quotes/object/due.ts";
import { clockAt } from "../../../src/quotes/rules/market-clock.ts";
import { type Close, shiftOf } from "../../../src/quotes/rules/split-of-closes.ts";

const closes = (...prices: readonly string[]): Close[] =>
  prices.map((price, place): Close => [`2026-11-${String(place + 10)}`, price]);

const STORED = closes("190", "191", "192", "191", "190", "189");

describe("a series that was shifted", () => {
  it("tells a split", () => {
    expect(shiftOf(STORED, closes("19", "19.1", "19.2", "19.1", "19", "18.9"), "USD")).toEqual({
      numerator: 10,
      denominator: 1,
    });
  });

  it.each([
    ["last", closes("19", "19.1", "19.2", "19.1", "19", "21.3")],
    ["first", closes("17", "19.1", "19.2", "19.1", "19", "18.9")],
  ])("tells it although the %s day was stored before it was over", (_, fetched) => {
    expect(shiftOf(STORED, fetched, "USD")).toEqual({ numerator: 10, denominator: 1 });
  });

  it.each([
    ["two days differ", STORED, closes("17", "19.1", "19.2", "19.1", "19", "21.3")],
    ["fewer than five agree", STORED.slice(1), closes("19", "19.1", "19.2", "19.1", "19", "21.3")],
    ["nothing has moved but one day", STORED, closes("190", "191", "192", "191", "190", "19")],
  ])("tells none where %s", (_, stored, fetched) => {
    expect(shiftOf(stored, fetched, "USD")).toBeUndefined();
  });

  it("tells none of more shares than a company makes of one", () => {
    const before = STORED.map(([day]): Close => [day, "999999999999"]);
    const after = STORED.map(([day]): Close => [day, "0.0000000001"]);
    expect([shiftOf(before, after, "USD"), shiftOf(after, before, "USD")]).toEqual([undefined, undefined]);
  });

  const timesHundred = closes("19000", "19100", "19200", "19100", "19000", "18900");
  const HUNDREDTH = closes("1.9", "1.91", "1.92", "1.91", "1.9", "1.89");
  const TWO_HUNDREDTH = closes("0.95", "0.955", "0.96", "0.955", "0.95", "0.945");

  it.each([
    [timesHundred, { numerator: 1, denominator: 100 }],
    [HUNDREDTH, { numerator: 100, denominator: 1 }],
    [TWO_HUNDREDTH, { numerator: 200, denominator: 1 }],
  ])("by a hundred tells a split in a currency without hundredths, and a unit in others: %j", (fetched, split) => {
    expect(shiftOf(STORED, fetched, "USD")).toEqual(split);
    expect([shiftOf(STORED, fetched, "GBX"), shiftOf(STORED, fetched, "GBP")]).toEqual([undefined, undefined]);
  });

  it("tells a split of two hundred for one, and none of ratios that are no split's", () => {
    expect(shiftOf(TWO_HUNDREDTH, STORED, "USD")).toEqual({ numerator: 1, denominator: 200 });
    expect(shiftOf(STORED, closes("6650", "6685", "6720", "6685", "6650", "6615"), "USD")).toEqual({
      ...{ numerator: 1, denominator: 35 },
    });
    // 2:79 is between 1:40 and 1:39.
    expect(
      shiftOf(TWO_HUNDREDTH, closes("37.525", "37.7225", "37.92", "37.7225", "37.525", "37.3275"), "USD"),
    ).toBeUndefined();
  });
});

const LISTING: ListingRow = {
  ...{ id: "i", source: "twelvedata", symbol: "S", mic: "XNAS", currency: "USD", askedAtMs: 0, refused: null },
  ...{ price: "1", asOf: null, previousClose: null, pending: null, priority: 1, mark: null },
  lastClose: "2026-11-19",
  splitDay: null,
};

describe("closes of yesterday", () => {
  it.each([
    ["2026-11-20T15:00:00Z", 0],
    ["2026-11-20T21:05:00Z", 0],
    ["2026-11-20T21:45:00Z", 1],
  ])("at %s lack %d day", (now, count) => {
    expect(closesBehind([LISTING], clockAt(Date.parse(now)))).toHaveLength(count);
  });
});
