/** `value-history`: today's holdings over the closes that are stored (api.md §8). */
import { expect, it } from "vitest";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const closes: [string, string][] = [8, 5, 4, 3].map((nth, place) => [tradingDay(nth), String(100 + place)]);

it("is in one currency, from the first day on that all holdings have a close", async () => {
  const young = { ...APPLE, symbol: "MSFT", name: "Microsoft", closes: closes.slice(1) };
  const ann = await withPrices({ listings: [{ ...APPLE, closes }, young] });
  await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "2" });
  await ann.add({ symbol: "MSFT", exchange: "XNAS", quantity: "0.5", tags: ["new"] });
  await ann.add({ symbol: "HOUSE", quantity: "1", lastPrice: "9" });
  await ann.add({ symbol: "KO", exchange: "XNYS" });
  await ann.wake();
  await ann.wake();
  const seen = await ann.room.seen();
  const history = await ann.act("value-history", { range: "1y" });
  expect(history).toEqual({
    ...{ currency: "USD", ratesOn: null, shortest: "MSFT", without: ["HOUSE"], more: 0, sources: ["twelvedata"] },
    points: closes.slice(1).map(([day], place) => [day, String((101 + place) * 2.5)]),
  });
  expect((await ann.act("value-history", { range: "max", tags: ["new"] })).points).toEqual(
    closes.slice(1).map(([day], place) => [day, String((101 + place) * 0.5)]),
  );
  expect(await ann.act("value-history", { range: "1m", status: "watching" })).toMatchObject({
    points: [],
    without: [],
  });
  expect(await ann.room.seen()).toEqual(seen);
});

it("refuses a range that there is none of", async () => {
  const ann = await withPrices();
  expect(await ann.post("value-history", { range: "2y" })).toEqual({
    status: 400,
    body: { error: "range: use 1m, 6m, 1y, 5y or max" },
  });
});
