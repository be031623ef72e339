/** What is odd about some stocks concerns those alone: the others get their prices, their charts and their listings. */
import { expect, it } from "vitest";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

it("a listing whose closes are in another currency is asked for them once, and stops no other listing", async () => {
  const closes: [string, string][] = [
    [tradingDay(3), "190"],
    [tradingDay(2), "191"],
  ];
  const ann = await withPrices({ listings: ["AAPL", "MSFT"].map((symbol) => ({ ...APPLE, symbol, closes })) });
  const odd = await ann.add({ symbol: "AAPL", exchange: "XNAS", currency: "EUR" });
  const usual = await ann.add({ symbol: "MSFT", exchange: "XNAS" });
  await ann.wake();
  await ann.forgetCloses();
  const before = (await ann.room.seen()).length;
  expect((await ann.act("get-stock", { id: odd.id, history: "max" })).history).toBeNull();
  expect((await ann.act("get-stock", { id: odd.id, history: "max" })).history).toBeNull();
  expect((await ann.room.seen()).slice(before).map(({ path }) => path)).toEqual(["/time_series"]);
  expect(await ann.object.status(ann.email)).toMatchObject({ lastError: null });
  expect((await ann.act("get-stock", { id: usual.id, history: "max" })).history?.points).toEqual(closes);
});
