/** A list of 5,000 stocks is refreshed within what its key allows, and a key's use is its owner's alone. */
import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { FRESH_BUDGET } from "../../../src/quotes/object/credits.ts";
import { twelveData } from "../../../src/quotes/sources/twelvedata.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withoutTimeLimits } from "../../support/workerd/held-timers.ts";
import { inOneMinute, overRate } from "../../support/workerd/over-rate.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const STOCKS = 5_000;
const HELD = 5;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Credits of the day that are left when the test begins: enough to see the minute's limit and then the day's. */
const LEFT = 100;

/** A Tuesday that is far away, in the hours of New York. */
const NOON = Date.parse("2040-06-12T16:00:00Z");

const symbolOf = (nth: number): string => `S${nth}`;

/** Makes as many stocks of one, as they would be added: 5,000 additions take minutes. */
const multiply = async (id: string): Promise<void> => {
  const row = (await env.DB.prepare("SELECT * FROM stocks WHERE id = ?").bind(id).first()) ?? {};
  const columns = Object.keys(row);
  const selected = columns.map((column) =>
    ["id", "symbol", "mutation_id"].includes(column) ? `value->>'${column}'` : `stocks.${column}`,
  );
  const rows = Array.from({ length: STOCKS - HELD }, (_, nth) => ({
    ...{ id: crypto.randomUUID(), symbol: symbolOf(nth + HELD), mutation_id: crypto.randomUUID() },
  }));
  for (let start = 0; start < rows.length; start += 1_000) {
    await env.DB.prepare(
      `INSERT INTO stocks (${columns.join()}) SELECT ${selected.join()} FROM stocks, json_each(?1) WHERE stocks.id = ?2`,
    )
      .bind(JSON.stringify(rows.slice(start, start + 1_000)), id)
      .run();
  }
};

it("5,000 stocks take no more than the key's minute and day, held ones first, and then wait for the next day", async () => {
  const listings = Array.from({ length: STOCKS }, (_, nth) => ({
    ...APPLE,
    symbol: symbolOf(nth),
    at: NOON / 1_000 - 60,
  }));
  const ann = await withPrices({ listings });
  const watched = await ann.add({ symbol: "WATCHED", exchange: "XNAS" });
  await multiply(watched.id);
  await ann.act("delete-stock", { id: watched.id });
  await ann.addSeveral({
    items: Array.from({ length: HELD }, (_, nth) => ({ symbol: symbolOf(nth), exchange: "XNAS", quantity: "1" })),
  });
  const clock = heldClock(NOON);
  await runInDurableObject(ann.object, (_, { storage }) => {
    storage.kv.put("budget", {
      ...FRESH_BUDGET,
      day: Math.floor(NOON / DAY),
      usedOfDay: twelveData.creditsADay - LEFT,
    });
  });
  const before = (await ann.room.seen()).length;
  const used = new Map<number, string[]>();
  const note = async () => {
    const noted = [...used.values()].flat().length;
    const requests = (await ann.room.seen()).slice(before);
    const credits = requests.flatMap(({ query }) => new URLSearchParams(query).get("symbol")?.split(",") ?? ["?"]);
    const minute = Math.floor(Date.now() / MINUTE);
    used.set(minute, [...(used.get(minute) ?? []), ...credits.slice(noted)]);
  };
  await ann.wake();
  await note();
  const alarm = () => runInDurableObject(ann.object, (_, { storage }) => storage.getAlarm());
  const midnight = (Math.floor(NOON / DAY) + 1) * DAY;
  for (let atMs = await alarm(); atMs !== null && atMs < midnight; atMs = await alarm()) {
    clock.set(Math.max(atMs, Date.now()));
    // Somebody looks all the time.
    await ann.wake();
    await runDurableObjectAlarm(ann.object);
    await note();
  }
  const minutes = [...used.values()];
  expect(Math.max(...minutes.map(({ length }) => length))).toBe(twelveData.creditsAMinute);
  expect(minutes.flat()).toHaveLength(LEFT);
  expect(new Set(minutes[0]?.slice(0, HELD))).toEqual(new Set(Array.from({ length: HELD }, (_, nth) => symbolOf(nth))));
  expect(new Set(minutes.flat()).size).toBeGreaterThan(LEFT / 2);
  // Not one of them was one too many.
  expect(await ann.object.status(ann.email)).toEqual({ creditsLeft: 0, lastError: null });
  expect(await alarm()).toBeGreaterThanOrEqual(midnight);
}, 120_000);

it("what one key has used, and what was refused to it, is no other's", async () => {
  // Credits are of a day.
  heldClock(Date.now() + 60 * MINUTE);
  const [ann, bob] = [await withPrices(), await withPrices()];
  for (const person of [ann, bob]) await person.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  const left = async (person: typeof ann) => (await person.object.status(person.email)).creditsLeft;
  expect(await left(ann)).toBe(798);
  expect(await left(bob)).toBe(800);
  await ann.room.set({ mood: "budget" });
  await ann.forget();
  await ann.wake();
  expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "budget" });
  expect(await bob.object.status(bob.email)).toEqual({ creditsLeft: 800, lastError: null });
  await bob.wake();
  expect(await bob.list()).toMatchObject([{ lastPrice: "190.5" }]);
  expect(await left(bob)).toBe(798);
});

it(
  "over the limit of actions no source is asked, and neither is the minute's refresh used up",
  inOneMinute(async () => {
    const ann = await withPrices();
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.act("update-stock", { id, set: { instrument: { symbol: "AAPL", exchange: "XNAS" } } });
    await overRate(env.ACTION_RATE, ann.email, () => fetchAs(ann.email, "/_framework/actions/list-schedules"));
    const answers = [
      await ann.post("refresh-quotes", {}),
      await ann.post("get-stock", { id, history: "1y" }),
      await ann.post("find-symbol", { q: "apple" }),
    ];
    const limited = { status: 429, body: { error: "Too many requests. Try again later." } };
    expect(answers).toEqual(answers.map(() => limited));
    // The one was the probe of the key.
    expect(await ann.room.seen()).toHaveLength(1);
    expect(await ann.object.refresh(ann.email, null, crypto.randomUUID())).not.toBe("too_soon");
  }),
);

it("two searches at once that are refused for want of credits wait for the next minute alone", async () => {
  const ann = await withPrices();
  const clock = heldClock(NOON);
  withoutTimeLimits();
  const { length } = await ann.room.seen();
  await ann.room.set({ mood: "hold" });
  const search = (q: string) => ann.object.search(ann.email, q);
  const both = Promise.all([search("Apple"), search("Microsoft")]);
  await expect.poll(async () => (await ann.room.seen()).length).toBe(length + 2);
  await ann.room.set({ mood: "budget" });
  expect(await both).toEqual([{ refused: "budget" }, { refused: "budget" }]);
  await ann.room.set({ listings: [APPLE] });
  expect(await search("Apple")).toEqual({ refused: "budget" });
  clock.forward(MINUTE);
  expect(await search("Apple")).toMatchObject({ matches: [{ symbol: "AAPL" }] });
});

it("each request is of one person, with that person's key and stocks alone", async () => {
  const people = await Promise.all(
    ["MSFT", "NVDA"].map(async (symbol) => ({ symbol, ...(await withPrices({ listings: [{ ...APPLE, symbol }] })) })),
  );
  for (const { add, symbol } of people) await add({ symbol, exchange: "XNAS" });
  await Promise.all(people.map(({ wake }) => wake()));
  for (const { room, symbol } of people) {
    const asked = (await room.seen()).map(({ query, key }) => ({
      symbol: new URLSearchParams(query).get("symbol"),
      key,
    }));
    // The first is the probe of the key.
    expect(asked.slice(1).every((one) => one.symbol === symbol)).toBe(true);
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set([room.key]));
  }
});
