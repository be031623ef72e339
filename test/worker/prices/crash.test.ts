/** The object of a key dies at any moment of its work: what it had begun is done again, and nothing twice (decision 0104). */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { QuotesObject } from "../../../src/quotes/quotes-object.ts";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { dyingDatabase } from "../../support/workerd/dying-database.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withoutTimeLimits } from "../../support/workerd/held-timers.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { splitCloses } from "../../support/workerd/with-split.ts";

const SPLIT_AT = Date.parse(`${tradingDay(1)}T15:30:00Z`) / 1_000;

/** Somebody whose Apple is split, and whose Microsoft has moved, before anybody has asked. */
const withNews = async (source: "twelvedata" | "eodhd") => {
  // Of one source the list tells the split, of the other the closes alone.
  const closesOf = (close: string) => ({ closes: source === "eodhd" ? [] : splitCloses(close) });
  const [apple, microsoft] = [
    { ...APPLE, ...closesOf("190") },
    { ...APPLE, ...closesOf("190"), symbol: "MSFT" },
  ];
  const ann = await withPrices({ listings: [apple, microsoft] }, source);
  const before = await ann.addSeveral({
    items: ["AAPL", "MSFT"].map((symbol) => ({ symbol, exchange: "XNAS", quantity: "10", targetLow: "100" })),
  });
  await ann.wake();
  // What a look does in the background would be done by nobody who dies.
  await ann.quietList();
  const splits: [string, number, number][] = [[tradingDay(1), 10, 1]];
  const news = { at: SPLIT_AT, previousClose: undefined };
  await ann.room.set({
    listings: [
      { ...apple, ...news, ...closesOf("19"), price: "19.1", splits },
      { ...microsoft, ...news, price: "200" },
    ],
  });
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE owner_email = ?").bind(tradingDay(2), ann.email).run();
  await ann.forget();
  await runInDurableObject(ann.object, (_, { storage }) => storage.kv.delete("budget"));
  return { ...ann, before };
};

type News = Awaited<ReturnType<typeof withNews>>;

const expectOnce = async ({ before, email, quietList }: News): Promise<void> => {
  expect(await quietList()).toMatchObject([
    { symbol: "AAPL", lastPrice: "190.5", priceState: "pending", pendingSplit: { numerator: 10 }, quantity: "10" },
    { symbol: "MSFT", lastPrice: "200", marketValue: "2000", pendingSplit: null },
  ]);
  expect((await quietList()).map(({ version, updatedAt }) => [version, updatedAt])).toEqual(
    before.map(({ stock }) => [stock?.version, stock?.updatedAt]),
  );
  const rows = (table: string) =>
    env.DB.prepare(
      `SELECT count(*) AS n FROM ${table} WHERE instrument_id IN (SELECT instrument_id FROM stocks WHERE owner_email = ?)`,
    )
      .bind(email)
      .first("n");
  expect([await rows("quotes"), await rows("splits")]).toEqual([2, 1]);
};

it.each([
  ["eodhd", false],
  ["eodhd", true],
  ["twelvedata", false],
  ["twelvedata", true],
] as const)(
  "whatever call of D1 it dies at, the next look finishes its work once: %s (call done: %s)",
  async (source, isDone) => {
    let hasDied = true;
    for (let nth = 1; hasDied; nth += 1) {
      const ann = await withNews(source);
      const dying = dyingDatabase(env.DB, nth, isDone);
      await runInDurableObject(ann.object, (_, ctx) =>
        new QuotesObject(ctx, { ...env, DB: dying.binding }).wake(ann.email).catch(() => undefined),
      );
      hasDied = dying.hasDied();
      await runInDurableObject(ann.object, (_, { storage }) => storage.kv.delete("budget"));
      await ann.forget();
      await ann.wake();
      await expectOnce(ann);
    }
  },
  120_000,
);

it.each(["before", "after"] as const)(
  "aborted %s its write, it wakes, asks again, and counts both requests",
  async (moment) => {
    // Credits are of a day.
    heldClock(Date.now() + 3_600_000);
    const ann = await withNews("eodhd");
    const creditsBefore = (await ann.object.status(ann.email)).creditsLeft ?? 0;
    const isQuotes = (statements: readonly D1PreparedStatement[]) => statements.length === 4;
    await runInDurableObject(ann.object, async (_, ctx) => {
      const batch = async (statements: D1PreparedStatement[]) => {
        if (moment === "after" || !isQuotes(statements)) await env.DB.batch(statements);
        ctx.abort("Died between the answer and the next step.");
        return await Promise.withResolvers<D1Result[]>().promise;
      };
      const DB = new Proxy(env.DB, {
        get: (db, name) => {
          const own: unknown = name === "batch" ? batch : Reflect.get(db, name);
          return typeof own === "function" ? own.bind(db) : own;
        },
      });
      await new QuotesObject(ctx, { ...env, DB }).wake(ann.email);
    }).catch(() => undefined);
    const left = async () => (await env.QUOTES.getByName(ann.scope).status(ann.email)).creditsLeft ?? 0;
    const afterDeath = await left();
    // Two prices and a list of splits: counted before they were sent, and the count has outlived the death.
    expect(afterDeath).toBe(creditsBefore - 3);
    await ann.forget();
    await env.QUOTES.getByName(ann.scope).wake(ann.email);
    expect(await left()).toBeLessThanOrEqual(afterDeath - 2);
    await expectOnce(ann);
  },
);

it("a refresh that its object dies at is done by the next one, and counts once", async () => {
  const ann = await withPrices();
  await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  withoutTimeLimits();
  await ann.room.set({ mood: "hold" });
  const refreshing = ann.post("refresh-quotes", {});
  await ann.room.holds();
  await runInDurableObject(ann.object, (_, ctx) => ctx.abort("Died before the answer.")).catch(() => undefined);
  await ann.room.set({ listings: [{ ...APPLE, price: "191", at: APPLE.at + 60 }] });
  expect(await refreshing).toMatchObject({ status: 200, body: { accepted: ["AAPL"] } });
  expect(await ann.post("refresh-quotes", {})).toMatchObject({ status: 429 });
});
