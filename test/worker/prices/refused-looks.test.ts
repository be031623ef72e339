/** A look for a split that the key has no credit for, or that is refused, says nothing: the price waits for another (decision 0207). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { openDb } from "../../../src/db/db.ts";
import { saveCloses } from "../../../src/db/prices/closes.ts";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { SPLIT_AT, splitCloses } from "../../support/workerd/with-split.ts";

const MINUTE = 60_000;

/** Those that are split in some test. */
const HELD = ["S1", "S2"];

const symbols = (count: number): string[] => Array.from({ length: count }, (_, nth) => `S${nth}`);

/** Listings of which some were split three for two since. */
const listingsAfter = (split: readonly string[]) =>
  symbols(12).map((symbol) => ({
    ...{ ...APPLE, symbol },
    ...(split.includes(symbol)
      ? { price: "128", previousClose: "126.67", at: SPLIT_AT, closes: splitCloses("126.66667") }
      : { closes: splitCloses("190") }),
  }));

/** Somebody with so many stocks that have prices and closes, all due again, at the beginning of a minute. Held ones are asked for first. */
const withStocks = async (count: number) => {
  const clock = heldClock(Math.ceil(Date.now() / MINUTE + 60) * MINUTE);
  const ann = await withPrices({ listings: listingsAfter([]) });
  await ann.addSeveral({
    items: symbols(count).map((symbol) => ({
      symbol,
      exchange: "XNAS",
      quantity: HELD.includes(symbol) ? "20" : null,
    })),
  });
  for (let nth = 0; nth < 2; nth += 1) {
    await ann.wake();
    clock.forward(MINUTE);
  }
  const { results } = await env.DB.prepare("SELECT id FROM instruments WHERE scope = ?").bind(ann.scope).all();
  for (const { id } of results) await saveCloses(openDb(env.DB), String(id), splitCloses("190"));
  await ann.quietList();
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE owner_email = ?").bind(tradingDay(2), ann.email).run();
  await ann.forget();
  return {
    ...ann,
    nextMinute: () => clock.forward(MINUTE),
    alarm: () => runInDurableObject(ann.object, (_, { storage }) => storage.getAlarm()),
    /** The last prices, without those that nothing has happened to, and the splits that wait. */
    news: async () =>
      (await ann.quietList()).flatMap(({ symbol, lastPrice, pendingSplit }) =>
        lastPrice === "190.5" && pendingSplit === null ? [] : [[symbol, lastPrice, pendingSplit?.numerator]],
      ),
  };
};

describe("a split among more listings than a minute has credits for", () => {
  it("is looked for at once: a batch leaves a credit", async () => {
    const ann = await withStocks(12);
    await ann.room.set({ listings: listingsAfter(["S1"]), creditsAMinute: 8 });
    await ann.wake();
    expect(await ann.news()).toEqual([["S1", "190.5", 3]]);
  });

  it("beside another one is looked for in the next minute, and its price is not believed before", async () => {
    const ann = await withStocks(12);
    const world = { listings: listingsAfter(["S1", "S2"]), creditsAMinute: 8 };
    await ann.room.set(world);
    await ann.wake();
    expect((await ann.news()).map(([, ...news]) => news)).toEqual([["190.5", 3]]);
    expect(await ann.alarm()).toBeLessThanOrEqual(Date.now() + MINUTE);
    ann.nextMinute();
    await ann.room.set(world);
    await ann.wake();
    expect(await ann.news()).toEqual([
      ["S1", "190.5", 3],
      ["S2", "190.5", 3],
    ]);
  });

  it("is looked for again when the source has counted more than we did", async () => {
    const ann = await withStocks(3);
    await ann.room.set({ listings: listingsAfter(["S1"]), creditsAMinute: 3 });
    await ann.wake();
    expect(await ann.news()).toEqual([]);
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "budget" });
    ann.nextMinute();
    await ann.room.set({ listings: listingsAfter(["S1"]), creditsAMinute: 8 });
    await ann.wake();
    expect(await ann.news()).toEqual([["S1", "190.5", 3]]);
  });
});
