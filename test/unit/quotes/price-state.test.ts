/** What a price is called, by its market's own clock (api.md §8). */
import { describe, expect, it } from "vitest";
import { closeOfDay, marketMoment } from "../../../src/quotes/rules/market-clock.ts";
import { marketOf } from "../../../src/quotes/rules/markets.ts";
import { markOf, priceStateOf } from "../../../src/quotes/rules/price-state.ts";

const ms = (text: string) => Date.parse(text);

describe("a market's clock", () => {
  it.each([
    ["XNAS", "2026-11-20T14:29:00Z", { today: "2026-11-20", isTrading: false, lastTradingDay: "2026-11-19" }],
    ["XNAS", "2026-11-20T14:30:00Z", { today: "2026-11-20", isTrading: true, lastTradingDay: "2026-11-19" }],
    ["XNAS", "2026-11-20T21:00:00Z", { today: "2026-11-20", isTrading: false, lastTradingDay: "2026-11-20" }],
    ["XNAS", "2026-11-23T10:00:00Z", { today: "2026-11-23", isTrading: false, lastTradingDay: "2026-11-20" }],
    ["XNAS", "2026-07-01T13:30:00Z", { today: "2026-07-01", isTrading: true, lastTradingDay: "2026-06-30" }],
    ["XASX", "2026-11-19T23:30:00Z", { today: "2026-11-20", isTrading: true, lastTradingDay: "2026-11-19" }],
    ["XNGS", "2026-11-20T21:00:00Z", { today: "2026-11-20", isTrading: false, lastTradingDay: "2026-11-20" }],
    [null, "2026-11-20T21:00:00Z", { today: "2026-11-20", isTrading: false, lastTradingDay: "2026-11-19" }],
  ])("of %s at %s", (mic, now, moment) => {
    expect(marketMoment(mic, ms(now))).toMatchObject(moment);
  });

  it.each([
    ["XNAS", "2026-11-20", "2026-11-20T21:00:00Z"],
    ["XNAS", "2026-07-01", "2026-07-01T20:00:00Z"],
    ["XASX", "2026-11-20", "2026-11-20T05:00:00Z"],
    ["XLON", "2026-10-26", "2026-10-26T16:30:00Z"],
    // In its longer hours, from November to March.
    ["BVMF", "2026-12-01", "2026-12-01T21:00:00Z"],
  ])("closes %s on %s", (mic, day, close) => {
    expect(closeOfDay(mic, day)).toBe(ms(close));
  });

  it.each([
    ["2026-11-20T17:09:00Z", "2026-11-19"],
    ["2026-11-20T17:10:00Z", "2026-11-20"],
  ])(
    "counts London's close at %s as that of %s: its auction ends at 16:35, and sources are 20 minutes late",
    (now, day) => {
      expect(marketMoment("XLON", ms(now)).settledTradingDay).toBe(day);
    },
  );

  it("is of the market, whatever its segment is called", () => {
    expect(["XNGS", "XNAS", "XETR", "ZZZZ"].map(marketOf)).toEqual(["XNAS", "XNAS", "XETR", "ZZZZ"]);
  });
});

const NASDAQ = "XNAS";

/** The state of a price of `asOf` that was fetched then, at `now`. */
const stateAt = (
  {
    asOf,
    fetched = asOf,
    kind = "trade" as "trade" | "day",
    isOpen = null as boolean | null,
    isHeld = false,
  }: {
    asOf: string;
    fetched?: string;
    kind?: "trade" | "day";
    isOpen?: boolean | null;
    isHeld?: boolean;
  },
  now: string,
) => {
  const momentAt = (at: number) => marketMoment(NASDAQ, at);
  const mark = markOf({ asOfKind: kind, isMarketOpen: isOpen }, ms(fetched), isHeld, momentAt);
  const price = { lastPrice: "10", lastPriceAt: new Date(asOf).toISOString(), mark, pendingSplit: null };
  return priceStateOf(price, momentAt(ms(now)), ms(now), (at) => momentAt(at).today);
};

describe("a price", () => {
  it.each([
    ["of 20 minutes ago is live", { asOf: "2026-11-20T15:00:00Z" }, "2026-11-20T15:20:00Z", "live"],
    ["of 21 minutes ago is delayed", { asOf: "2026-11-20T15:00:00Z" }, "2026-11-20T15:21:00Z", "delayed"],
    [
      "fetched after the close is the close",
      { asOf: "2026-11-20T20:59:00Z", fetched: "2026-11-20T21:45:00Z" },
      "2026-11-22T12:00:00Z",
      "close",
    ],
    [
      "that was live when the market closed is no close",
      { asOf: "2026-11-20T18:00:00Z" },
      "2026-11-21T12:00:00Z",
      "stale",
    ],
    ["of a day is its close", { asOf: "2026-11-20T21:00:00Z", kind: "day" }, "2026-11-23T12:00:00Z", "close"],
    [
      "is not stale while no source has the close yet",
      { asOf: "2026-11-20T20:58:00Z" },
      "2026-11-20T21:39:00Z",
      "close",
    ],
    [
      "is stale once they do, and it was not fetched again",
      { asOf: "2026-11-20T20:58:00Z" },
      "2026-11-20T21:40:00Z",
      "stale",
    ],
    [
      "of the session before the last is stale",
      { asOf: "2026-11-19T20:59:00Z", fetched: "2026-11-19T21:45:00Z" },
      "2026-11-20T22:00:00Z",
      "stale",
    ],
    [
      "of the session before stays the close until the next trade",
      { asOf: "2026-11-19T20:59:00Z", fetched: "2026-11-19T21:45:00Z" },
      "2026-11-20T15:00:00Z",
      "close",
    ],
    [
      "that is still the newest after a holiday's hours is the close",
      { asOf: "2026-11-25T20:59:00Z", fetched: "2026-11-26T22:00:00Z" },
      "2026-11-26T23:00:00Z",
      "close",
    ],
    [
      "on a holiday, in trading hours, is the close",
      { asOf: "2026-11-25T20:59:00Z", fetched: "2026-11-26T16:00:00Z", isOpen: false },
      "2026-11-26T16:10:00Z",
      "close",
    ],
    [
      "without a trade for weeks is stale, however often it is fetched",
      { asOf: "2026-11-02T20:59:00Z", fetched: "2026-11-20T22:00:00Z" },
      "2026-11-20T23:00:00Z",
      "stale",
    ],
    [
      "with a newer one held back is pending",
      { asOf: "2026-11-20T15:00:00Z", isHeld: true },
      "2026-11-20T15:01:00Z",
      "pending",
    ],
  ] as const)("%s", (_, price, now, state) => {
    expect(stateAt(price, now)).toBe(state);
  });

  it("that was typed is manual, none is none, and a split holds it", () => {
    const now = marketMoment(NASDAQ, ms("2026-11-20T15:00:00Z"));
    const state = (more: object) =>
      priceStateOf(
        { lastPrice: "10", lastPriceAt: "2026-11-20T14:59:00.000Z", mark: null, pendingSplit: null, ...more },
        now,
        ms("2026-11-20T15:00:00Z"),
        () => now.today,
      );
    expect(state({})).toBe("manual");
    expect(state({ lastPrice: null, lastPriceAt: null })).toBe("none");
    expect(state({ pendingSplit: { day: "2026-11-20", numerator: 10, denominator: 1 } })).toBe("pending");
  });
});
