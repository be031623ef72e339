/** What happens while a source has not answered yet: edits, another key, a deleted account, a second look (decisions 0103, 0104). */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { runMinute } from "../../../src/account/run-cron.ts";
import { listStocks } from "../../../src/actions/list-stocks.ts";
import { createIdSource, OwnerEmail } from "../../../src/contract/ids.ts";
import { ListStocksInput } from "../../../src/contract/stocks/list-stocks.ts";
import { openDb } from "../../../src/db/db.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import { APPLE, TRADED_AT, tradingDay } from "../../support/price-server/trading-day.ts";
import { withoutTimeLimits } from "../../support/workerd/held-timers.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const KEY_PATH = "/_framework/settings/quotes-key";

/** Somebody whose source has been asked for Apple, and answers when `answer` says what. */
const whileAsked = async (source: "twelvedata" | "eodhd" = "twelvedata") => {
  const ann = await withPrices({ listings: [APPLE] }, source);
  const stock = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
  await ann.wake();
  await ann.quietList();
  await ann.forget();
  withoutTimeLimits();
  await ann.room.set({ mood: "hold" });
  const waking = ann.wake();
  await ann.room.holds();
  return {
    ...ann,
    stock,
    answer: async (world: Parameters<typeof ann.room.set>[0]) => {
      await ann.room.set(world);
      await waking;
    },
  };
};

const MOVED = { listings: [{ ...APPLE, price: "195", at: APPLE.at + 60 }] };

it("an edit meanwhile is no conflict, and neither is lost", async () => {
  const ann = await whileAsked();
  const { id } = ann.stock;
  const edited = await ann.post("update-stock", { id, version: 1, set: { notes: "Mine", quantity: "2" } });
  expect(edited).toMatchObject({ status: 200, body: { stock: { version: 2 } } });
  await ann.answer(MOVED);
  expect(await ann.list()).toMatchObject([
    { version: 2, notes: "Mine", lastPrice: "195", marketValue: "390", updatedVia: "screen" },
  ]);
});

it("a price that is typed in meanwhile stays", async () => {
  const ann = await whileAsked();
  await ann.act("update-stock", { id: ann.stock.id, set: { lastPrice: "77" } });
  await ann.answer(MOVED);
  expect(await ann.list()).toMatchObject([{ lastPrice: "77", autoPrice: false, priceState: "manual" }]);
});

it.each([
  ["refused", { mood: "auth" as const }],
  ["not answered", { mood: "down" as const }],
])("what the last key's request got counts for that key alone: %s", async (_, world) => {
  const ann = await whileAsked();
  const next = priceRoom(inject("priceUrl"));
  const closes: [string, string][] = [
    [tradingDay(3), "190"],
    [tradingDay(2), "191"],
  ];
  await next.set({ key: next.key, listings: [{ ...APPLE, price: "200", at: APPLE.at + 60, closes }] });
  const saved = await ann.ask("PUT", KEY_PATH, { source: "twelvedata", key: next.key });
  expect(saved).toEqual({ status: 200, body: { ok: true } });
  await ann.answer(world);
  expect((await ann.ask("GET", "/_framework/settings")).body).toMatchObject({
    quotes: { hasKey: true, lastError: null },
  });
  await ann.forget();
  await ann.wake();
  // Its closes are asked for as well, however lately the last key's were.
  expect((await ann.act("list-stocks", { spark: true })).items).toMatchObject([{ lastPrice: "200", spark: [0, 100] }]);
});

it("a key that is removed meanwhile asks for nothing more", async () => {
  const ann = await withPrices({ listings: [APPLE] });
  // Of two markets, so in two batches.
  await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
  await ann.add({ symbol: "AAPL", exchange: "XETR", currency: "EUR" });
  withoutTimeLimits();
  await ann.room.set({ mood: "hold" });
  const waking = ann.wake();
  await ann.room.holds();
  expect(await ann.ask("DELETE", KEY_PATH)).toMatchObject({ status: 200 });
  const before = await ann.room.seen();
  await ann.room.set({ listings: [APPLE] });
  await waking;
  expect(await ann.room.seen()).toEqual(before);
  expect((await ann.ask("GET", "/_framework/settings")).body).toMatchObject({ quotes: { hasKey: false } });
});

it("an account that is deleted meanwhile gets nothing back", async () => {
  const ann = await withPrices({ listings: [APPLE] }, "eodhd");
  // A listing that has to be searched for, so that it would be made behind the answer.
  await ann.add({ symbol: "AAPL", quantity: "1" });
  withoutTimeLimits();
  await ann.room.set({ mood: "hold" });
  const waking = ann.wake();
  await ann.room.holds();
  await ann.ask("DELETE", "/_framework/account", { email: ann.email });
  // What the answer has left to the background.
  await runMinute({ ...env }, Date.now());
  const asked = await ann.room.seen();
  await ann.room.set(MOVED);
  await waking;
  expect(await ann.room.seen()).toEqual(asked);
  const kept = await runInDurableObject(ann.object, (_, { storage }) => [...storage.kv.list()].map(([key]) => key));
  expect(kept).toEqual(["deleted"]);
  await runMinute({ ...env }, Date.now() + 5 * 60_000);
  const count = async (query: string, value: string) =>
    (await env.DB.prepare(`SELECT count(*) AS n FROM ${query} = ?`).bind(value).first())?.n;
  expect(await count("instruments WHERE scope", ann.scope)).toBe(0);
  expect(await count("settings WHERE owner_email", ann.email)).toBe(0);
  expect(await count("stocks WHERE owner_email", ann.email)).toBe(0);
});

it("a look during a refresh that somebody pressed waits for it, and asks for nothing twice", async () => {
  const ann = await withPrices();
  await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  await ann.forget();
  const before = (await ann.room.seen()).length;
  withoutTimeLimits();
  await ann.room.set({ mood: "hold" });
  const refreshing = ann.act("refresh-quotes", {});
  await ann.room.holds();
  const waking = ann.wake();
  // What came after the look has been answered, so the look has begun.
  await ann.object.status(ann.email);
  await ann.room.set(MOVED);
  expect(await refreshing).toMatchObject({ accepted: ["AAPL"] });
  await waking;
  expect((await ann.room.seen()).slice(before).map(({ path }) => path)).toEqual(["/quote"]);
});

it("a notice that is switched on during a look has no stock searched for twice", async () => {
  const ann = await withPrices();
  await ann.add({ symbol: "AAPL" });
  withoutTimeLimits();
  await ann.room.set({ mood: "hold" });
  const both = Promise.all([ann.wake(), ann.object.watchTargets(ann.email)]);
  await ann.room.holds();
  // Time enough for the other one to search as well.
  await ann.quietList();
  await ann.room.set({ listings: [APPLE] });
  await both;
  expect((await ann.room.seen()).filter(({ path }) => path === "/symbol_search")).toHaveLength(1);
  expect(await ann.quietList()).toMatchObject([{ lastPrice: "190.5" }]);
});

/** D1 that holds back the nth batch until `open` is called. */
const gatedDatabase = (nth: number) => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let batches = 0;
  const binding = new Proxy(env.DB, {
    get: (db, name) => {
      const own: unknown = Reflect.get(db, name);
      if (name !== "batch") return typeof own === "function" ? own.bind(db) : own;
      return async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === nth) {
          reached.resolve();
          await gate.promise;
        }
        return await db.batch(statements);
      };
    },
  });
  return { binding, reached: reached.promise, open: gate.resolve };
};

/** Somebody whose Apple has moved to 191, and a look at the list that has read this and not copied it yet. */
const withSlowLook = async () => {
  const ann = await withPrices();
  const stock = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "2" });
  await ann.wake();
  await ann.list();
  const move = (price: string, seconds: number) =>
    env.DB.prepare(
      "UPDATE quotes SET price = ?1, as_of = ?2 WHERE instrument_id = (SELECT instrument_id FROM stocks WHERE id = ?3)",
    )
      .bind(price, new Date(Date.parse(TRADED_AT) + seconds * 1_000).toISOString(), stock.id)
      .run();
  await move("191", 60);
  // The first batch reads, the second copies.
  const slow = gatedDatabase(2);
  const reading = listStocks.run(
    {
      ...({ via: "screen" } as const),
      ...{ db: openDb(slow.binding), prices: NO_PRICES, nowMs: Date.now, newId: createIdSource(Date.now) },
      caller: { ownerEmail: OwnerEmail.parse(ann.email), orgId: null },
    },
    ListStocksInput.parse({}),
  );
  await slow.reached;
  return {
    ...ann,
    ...{ stock, move },
    /** Lets it copy. */
    goOn: async () => {
      slow.open();
      return (await reading).items;
    },
  };
};

it("of two looks at once, the one that read an older price does not put it over the newer one", async () => {
  const ann = await withSlowLook();
  const { version, updatedAt } = ann.stock;
  await ann.move("192", 120);
  expect(await ann.list()).toMatchObject([{ lastPrice: "192" }]);
  // It answers with what is stored by then.
  expect(await ann.goOn()).toMatchObject([{ lastPrice: "192", marketValue: "384", version, updatedAt }]);
  expect(await ann.list()).toMatchObject([{ lastPrice: "192", marketValue: "384" }]);
});

it("a look that read a stock before it was changed does not put figures of the old quantity over it", async () => {
  const ann = await withSlowLook();
  await ann.act("update-stock", { id: ann.stock.id, version: 1, set: { quantity: "10" } });
  expect(await ann.goOn()).toMatchObject([{ quantity: "10", lastPrice: "190.5", marketValue: "1905", version: 2 }]);
  expect(await ann.list()).toMatchObject([{ quantity: "10", lastPrice: "191", marketValue: "1910", version: 2 }]);
});
