/**
 * EODHD refuses in plain text, and some paths alone, and has no price of a listing before its first trade of the day: what a person is told,
 * and what is believed (decision 0207).
 */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { APPLE, comingTradingDay, tradingDay } from "../../support/price-server/trading-day.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { SPLIT_AT, splitCloses } from "../../support/workerd/with-split.ts";

const CLOSES = splitCloses("190");

/** Forgets that the key has been refused. */
const forgive = ({ object }: Awaited<ReturnType<typeof withPrices>>) =>
  runInDurableObject(object, (_, { storage }) => storage.kv.delete("budget"));

/** Somebody whose Apple has a price. */
const withApple = async () => {
  const ann = await withPrices({ listings: [{ ...APPLE, closes: CLOSES }] }, "eodhd");
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "20" });
  await ann.wake();
  await ann.quietList();
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
  await ann.forget();
  return ann;
};

const HOUR_MS = 3_600_000;

describe("a key of EODHD", () => {
  it("that is refused is said to be, and is asked with no more", async () => {
    const ann = await withApple();
    await ann.room.set({ mood: "auth" });
    await ann.wake();
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "auth" });
    const { length } = await ann.room.seen();
    await ann.wake();
    expect(await ann.room.seen()).toHaveLength(length);
  });

  it("whose day is used up is asked with again at midnight UTC", async () => {
    const noonMs = Date.parse(`${comingTradingDay()}T12:00:00Z`);
    const clock = heldClock(noonMs);
    const ann = await withApple();
    await ann.room.set({ mood: "budget" });
    await ann.wake();
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "budget" });
    const { length } = await ann.room.seen();
    await ann.forget();
    clock.set(noonMs + 12 * HOUR_MS - 1);
    await ann.wake();
    expect(await ann.room.seen()).toHaveLength(length);
    clock.set(noonMs + 12 * HOUR_MS);
    await ann.wake();
    expect(await ann.room.seen()).toHaveLength(length + 1);
  });

  it("is not refused by what stands in between", async () => {
    const ann = await withApple();
    await ann.room.set({ mood: "forbidden" });
    await ann.wake();
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "down" });
  });
});

it("a listing whose closes it does not have holds up no prices", async () => {
  const ann = await withPrices({ listings: [{ ...APPLE, hasCloses: false }] }, "eodhd");
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  await ann.act("get-stock", { id, history: "1y" });
  await ann.wake();
  expect((await ann.room.seen()).filter(({ path }) => path === "/api/eod/AAPL.US")).toHaveLength(1);
  expect(await ann.object.status(ann.email)).toMatchObject({ lastError: null });
});

describe("a listing without a trade today", () => {
  const UNTRADED = { ...APPLE, hasTraded: false };

  it("keeps its price, and is not called unknown", async () => {
    const ann = await withApple();
    await ann.room.set({ listings: [UNTRADED] });
    expect(await ann.act("refresh-quotes", {})).toEqual({ accepted: ["AAPL"], pending: [], refused: [] });
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5" }]);
  });

  it("has its price for today's close, if that is the close before", async () => {
    const ann = await withApple();
    const clock = heldClock(Date.parse(`${comingTradingDay()}T22:00:00Z`));
    await ann.room.set({ listings: [UNTRADED] });
    await ann.act("refresh-quotes", {});
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", priceState: "stale" }]);
    await ann.room.set({ listings: [{ ...UNTRADED, previousClose: "190.5" }] });
    await ann.forget();
    clock.set(Date.now() + HOUR_MS);
    await ann.act("refresh-quotes", {});
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", priceState: "close" }]);
  });

  it("has its last close for a first price", async () => {
    const ann = await withPrices({ listings: [{ ...UNTRADED, closes: CLOSES }] }, "eodhd");
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190", lastPriceSource: "eodhd", dayChange: null }]);
    const [stock] = await ann.list();
    expect(stock?.lastPriceAt?.slice(0, 10)).toBe(CLOSES.at(-1)?.[0]);
  });

  it("is asked for again where its closes could not be read", async () => {
    const listings = [{ ...UNTRADED, closes: CLOSES }];
    const ann = await withPrices({ listings, moods: { eod: "down" } }, "eodhd");
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: null }]);
    await ann.room.set({ listings });
    await forgive(ann);
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190" }]);
  });

  it("is still to come where there are no closes either", async () => {
    const ann = await withPrices({ listings: [{ ...UNTRADED, hasCloses: false }] }, "eodhd");
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    expect(await ann.act("refresh-quotes", {})).toEqual({ accepted: [], pending: ["AAPL"], refused: [] });
    expect(await ann.list()).toMatchObject([{ lastPrice: null, priceState: "none" }]);
  });
});

it("what was not found before its search was asked in its own words is looked for again", async () => {
  const ann = await withPrices({ listings: [{ ...APPLE, symbol: "BRK-B", name: "Berkshire Hathaway Inc" }] }, "eodhd");
  await ann.add({ symbol: "BRK.B" });
  await runInDurableObject(ann.object, (_, { storage }) => {
    storage.kv.put("not-found", ["BRK.B USD"]);
    storage.kv.put("search brk.b", { atMs: Date.now(), matches: [] });
  });
  expect(await ann.act("find-symbol", { q: "brk.b" })).toMatchObject({
    matches: [{ symbol: "BRK.B", source: "list" }, { symbol: "BRK-B" }],
  });
  await ann.wake();
  expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", instrument: { symbol: "BRK-B.US" } }]);
});

describe("splits that are refused", () => {
  const split = { ...APPLE, price: "128", previousClose: undefined, at: SPLIT_AT, closes: CLOSES };
  const splits: [string, number, number][] = [[tradingDay(1), 3, 2]];

  it.each(["budget", "down", "forbidden"] as const)(
    "are not none: a fall of a third is not believed: %s",
    async (mood) => {
      const ann = await withApple();
      await ann.room.set({ listings: [{ ...split, splits }], moods: { splits: mood } });
      await ann.wake();
      expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", pendingSplit: null }]);
      await forgive(ann);
      await ann.room.set({ listings: [{ ...split, splits }] });
      await ann.wake();
      expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", pendingSplit: { numerator: 3, denominator: 2 } }]);
    },
  );

  it.each(["budget", "down"] as const)("are not none: closes are no history without them: %s", async (mood) => {
    const old: [string, number, number][] = [[tradingDay(4), 2, 1]];
    const listing = { ...APPLE, closes: CLOSES, splits: old };
    const ann = await withPrices({ listings: [listing], moods: { splits: mood } }, "eodhd");
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    const history = async () => (await ann.act("get-stock", { id, history: "1y" })).history;
    await ann.wake();
    expect(await history()).toBeNull();
    await runInDurableObject(ann.object, (_, { storage }) => storage.kv.delete("budget"));
    await ann.room.set({ listings: [listing] });
    await ann.wake();
    expect((await history())?.points.map(([, close]) => close)).toEqual(["95", "95", "95", "95", "190", "190"]);
  });
});
