/** What is odd about some stocks concerns those alone: the others get their prices, their charts and their listings. */
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { copyStock } from "../../support/workerd/copied-stock.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const MINUTE = 60_000;

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

it.each([
  ["twelvedata", null, null],
  // Not in its table of markets.
  ["eodhd", "XNSA", "XNAS"],
] as const)(
  "more stocks that %s has no listing for than are looked at in one go do not keep the others from being linked",
  async (source, odd, usual) => {
    const clock = heldClock(Date.now() + 60 * MINUTE);
    const ann = await withPrices({ listings: ["AAPL", "MSFT"].map((symbol) => ({ ...APPLE, symbol })) }, source);
    const wakeTwice = async () => {
      for (let nth = 0; nth < 2; nth += 1) {
        await ann.wake();
        clock.forward(MINUTE);
      }
    };
    const priceOf = async (q: string) => (await ann.act("list-stocks", { q })).items.map(({ lastPrice }) => lastPrice);
    const { id } = await ann.add({ symbol: "ODD", exchange: odd, quantity: "1" });
    await copyStock(id, 600);
    // All have been searched for, five at a time.
    const notFound = Array.from({ length: 601 }, (_, nth) => (nth === 0 ? "ODD USD" : `ODD-${nth} USD`));
    await runInDurableObject(ann.object, (_, { storage }) => storage.kv.put("not-found", notFound));
    await ann.add({ symbol: "AAPL", exchange: usual });
    await wakeTwice();
    expect(await priceOf("AAPL")).toEqual(["190.5"]);
    // One that may come before those that were looked at last.
    await ann.add({ symbol: "MSFT", exchange: usual ?? "XNAS", quantity: "1" });
    await wakeTwice();
    expect(await priceOf("MSFT")).toEqual(["190.5"]);
  },
);
