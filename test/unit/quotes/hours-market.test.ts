/** Whose hours a listing keeps, where its source does not name its market. */
import { describe, expect, it } from "vitest";
import { hoursMarket, hoursMarketOf } from "../../../src/contract/prices/hours-market.ts";
import { closeOfDay, marketMoment } from "../../../src/quotes/rules/market-clock.ts";
import { markOf, priceStateOf } from "../../../src/quotes/rules/price-state.ts";

const APPLE = { source: "eodhd", symbol: "AAPL.US" };

describe("the hours of a listing", () => {
  it.each([
    [{ ...APPLE, mic: null }, "XNYS"],
    [{ ...APPLE, mic: "XNAS" }, "XNAS"],
    [{ ...APPLE, symbol: "SAP.XETRA", mic: null }, null],
    [{ source: "twelvedata", symbol: "X.US", mic: null }, null],
  ])("of %j are those of %s", (listing, market) => {
    expect(hoursMarket(listing)).toBe(market);
  });

  it("of a stock are those of the listing that its prices come from", () => {
    expect(hoursMarketOf(null, "XETR")).toBe("XETR");
    expect(hoursMarketOf({ ...APPLE, exchange: null }, null)).toBe("XNYS");
    expect(hoursMarketOf({ ...APPLE, exchange: null }, "XNAS")).toBe("XNAS");
  });

  it("make a trade of the United States live while New York trades, not the close of a day of UTC", () => {
    const market = hoursMarketOf({ ...APPLE, exchange: null }, null);
    const nowMs = Date.parse("2026-11-20T15:30:00Z");
    const moment = (ms: number) => marketMoment(market, ms);
    const mark = markOf({ asOfKind: "trade", isMarketOpen: null }, nowMs, false, moment);
    const price = { lastPrice: "1", lastPriceAt: "2026-11-20T15:15:00.000Z", mark, pendingSplit: null };
    expect(priceStateOf(price, moment(nowMs), nowMs, (ms) => moment(ms).today)).toBe("live");
  });
});

it.each([
  ["2026-07-15", "13:30", "20:00"],
  ["2026-11-20", "14:30", "21:00"],
])("the market of Mexico keeps New York's hours all year, though its clocks do not change: %s", (day, open, close) => {
  const isTrading = (time: string) => marketMoment("XMEX", Date.parse(`${day}T${time}Z`)).isTrading;
  expect([isTrading(open), isTrading(close)]).toEqual([true, false]);
  expect(closeOfDay("XMEX", day)).toBe(Date.parse(`${day}T${close}Z`));
});
