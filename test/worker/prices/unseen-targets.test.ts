/** Prices of targets that somebody is to be told of, fetched while nobody looks: within the key's day (decision 0154). */
import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { tellTargetHits } from "../../../src/notice/tell-target-hits.ts";
import { wakeForTargets } from "../../../src/quotes/wake-targets.ts";
import type { WorldSetting } from "../../support/price-server/price-room.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A Tuesday that is far away; New York trades from 13:30 to 20:00 UTC. */
const at = (time: string, day = 12): number => Date.parse(`2040-06-${day}T${time}:00Z`);

/** A listing whose last trade was at a time of that day. */
const traded = (symbol: string, price: string, atMs: number) => ({
  ...{ ...APPLE, symbol, name: symbol, price, previousClose: price, at: Math.floor(atMs / 1_000) },
});

type Person = Awaited<ReturnType<typeof withPrices>>;

/** Somebody who is to be told of Apple below 150, and of nothing of Microsoft; a clock that is held, and what it lets happen. */
const withTarget = async (
  source: "twelvedata" | "eodhd" = "twelvedata",
  others: readonly string[] = ["MSFT"],
  before: (ann: Person & { readonly id: string }) => Promise<unknown> = async () => {},
) => {
  const ann = await withPrices({ listings: ["AAPL", ...others].map((symbol) => ({ ...APPLE, symbol })) }, source);
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", targetLow: "150" });
  await ann.addSeveral({ items: others.map((symbol) => ({ symbol, exchange: "XNAS", targetLow: "150" })) });
  await ann.wake();
  // Not by the action: what that sets off would go on under the clock that is held.
  await env.DB.prepare("UPDATE stocks SET notify = 1 WHERE id = ?").bind(id).run();
  // People are signed out by the time the clock is held at.
  await before({ ...ann, id });
  return { ...ann, id, ...playing(ann, heldClock(at("04:00"))) };
};

/** Which symbols were asked for, and when. */
type Asked = { readonly symbols: string[]; readonly atMs: number };

const playing = (ann: Person, clock: ReturnType<typeof heldClock>) => {
  const asked: Asked[] = [];
  let seen: number | undefined;
  const note = async () => {
    const requests = await ann.room.seen();
    for (const { path, query } of requests.slice(seen ?? requests.length)) {
      if (path.endsWith("/quote")) {
        asked.push({ symbols: new URLSearchParams(query).get("symbol")?.split(",") ?? [], atMs: Date.now() });
      }
      if (path.includes("/real-time/")) {
        const more = new URLSearchParams(query).get("s")?.split(",") ?? [];
        asked.push({ symbols: [path.split("/").at(-1) ?? "", ...more], atMs: Date.now() });
      }
    }
    seen = requests.length;
  };
  const alarm = () => runInDurableObject(ann.object, (_, { storage }) => storage.getAlarm());
  return {
    asked,
    note,
    alarm,
    setClock: clock.set,
    /** Rings the object's alarms until a time; `meanwhile` is called before each, with the clock at its time. */
    play: async (untilMs: number, meanwhile: () => Promise<void> = async () => {}) => {
      await note();
      for (let rings = 0; rings < 300; rings += 1) {
        const ringsAtMs = await alarm();
        if (ringsAtMs === null || ringsAtMs > untilMs) return clock.set(untilMs);
        clock.set(Math.max(ringsAtMs, Date.now()));
        await meanwhile();
        await runDurableObjectAlarm(ann.object);
        await note();
        await tellTargetHits(env, Date.now());
      }
      throw new Error("It rings for ever.");
    },
    told: async () => {
      const notices = env.DB.prepare(
        "SELECT title, due_at_ms AS atMs FROM notices WHERE owner_email = ? ORDER BY rowid",
      );
      return (await notices.bind(ann.email).all<{ title: string; atMs: number }>()).results;
    },
  };
};

const hits = (price: string, atMs: number): WorldSetting => ({
  listings: [traded("AAPL", price, atMs), traded("MSFT", "100", atMs)],
});

describe("a target that is to be told of", () => {
  it("is watched through a day on which nobody looks: every quarter of an hour, once after the close, and not at night", async () => {
    const ann = await withTarget();
    await ann.object.watchTargets(ann.email);
    await ann.play(at("04:00", 13), () => ann.room.set(hits("200", Date.now() - MINUTE)));
    expect(ann.asked.every(({ symbols }) => symbols.join() === "AAPL")).toBe(true);
    const times = ann.asked.map(({ atMs }) => atMs).filter((atMs) => atMs >= at("13:30"));
    // 26 quarters of an hour from some moment of the first five minutes on, and the close.
    expect(times).toHaveLength(27);
    expect(times[0]).toBeLessThan(at("13:35"));
    expect(times.at(-1)).toBeGreaterThanOrEqual(at("20:40"));
    expect(times.at(-1)).toBeLessThan(at("20:55"));
    // The next morning.
    expect(await ann.alarm()).toBeGreaterThanOrEqual(at("13:30", 13));
    expect(await ann.alarm()).toBeLessThan(at("13:35", 13));
    expect(await ann.told()).toEqual([]);
  });

  it("is told once it is hit, though nobody looks", async () => {
    const ann = await withTarget();
    await ann.object.watchTargets(ann.email);
    const priceNow = () => (Date.now() < at("16:00") ? "200" : "149");
    await ann.play(at("04:00", 13), () => ann.room.set(hits(priceNow(), Date.now() - MINUTE)));
    const [first, ...others] = await ann.told();
    expect(others).toEqual([]);
    expect(first?.title).toBe("AAPL is at or below its buy target");
    expect(first?.atMs).toBeGreaterThanOrEqual(at("16:00"));
    expect(first?.atMs).toBeLessThan(at("16:15"));
  });

  it("is told once it is hit, though its source had no trade of the day before", async () => {
    const ann = await withTarget("eodhd", []);
    const worldNow = () =>
      Date.now() < at("14:30") ? { ...APPLE, hasTraded: false } : traded("AAPL", "149", Date.now() - MINUTE);
    await ann.room.set({ listings: [worldNow()] });
    await ann.object.watchTargets(ann.email);
    await ann.play(at("23:50"), () => ann.room.set({ listings: [worldNow()] }));
    const [first, ...others] = await ann.told();
    expect(others).toEqual([]);
    expect(first?.title).toBe("AAPL is at or below its buy target");
    expect(first?.atMs).toBeGreaterThanOrEqual(at("14:30"));
    expect(first?.atMs).toBeLessThan(at("15:00"));
  });

  it("is asked for on a holiday as on any day: once after the close, and not at night", async () => {
    const ann = await withTarget("eodhd", []);
    await ann.room.set({ listings: [{ ...APPLE, hasTraded: false }] });
    await ann.object.watchTargets(ann.email);
    await ann.play(at("04:00", 13));
    const times = ann.asked.map(({ atMs }) => atMs);
    expect(times.filter((atMs) => atMs >= at("13:30") && atMs < at("20:00")).length).toBeGreaterThan(10);
    expect(times.filter((atMs) => atMs >= at("20:00"))).toHaveLength(1);
    expect(times.at(-1)).toBeGreaterThanOrEqual(at("20:40"));
  });

  it("is found by the cron where its object has no alarm, once an hour", async () => {
    const ann = await withTarget();
    await runInDurableObject(ann.object, (_, { storage }) => storage.deleteAlarm());
    await ann.note();
    for (let minute = 0; minute < 60; minute += 1) {
      ann.setClock(at("14:00") + minute * MINUTE);
      await wakeForTargets(env, Date.now());
    }
    await ann.note();
    expect(ann.asked).toHaveLength(1);
    expect(await ann.alarm()).toBeGreaterThan(at("14:00"));
  });

  const ENDED: readonly (readonly [string, (ann: Person & { readonly id: string }) => Promise<unknown>])[] = [
    ["is told of nothing", (ann) => ann.ask("PATCH", "/_framework/settings", { notices: { target: "none" } })],
    ["has switched it off", (ann) => ann.act("update-stock", { id: ann.id, set: { notify: false } })],
    ["types the price", (ann) => ann.act("update-stock", { id: ann.id, set: { lastPrice: "10" } })],
    ["has deleted the stock", (ann) => ann.act("delete-stock", { ids: [ann.id] })],
    ["has taken the key away", (ann) => ann.ask("DELETE", "/_framework/settings/quotes-key")],
    ["leaves", (ann) => requestDeletion(openDb(env.DB), OwnerEmail.parse(ann.email), Date.now())],
  ];

  it.each(ENDED)("costs nothing for somebody who %s", async (_, end) => {
    const ann = await withTarget("twelvedata", ["MSFT"], end);
    await ann.note();
    await ann.object.watchTargets(ann.email);
    await ann.play(at("04:00", 13));
    expect(ann.asked).toEqual([]);
  });

  it("is not asked for again by the round in which a look has had it fetched", async () => {
    const ann = await withTarget("eodhd", []);
    await ann.note();
    ann.setClock(at("13:40"));
    await ann.wake();
    await ann.note();
    expect(ann.asked.map(({ symbols }) => symbols)).toEqual([["AAPL.US"]]);
  });

  it("is asked for with the credits that a look at a long list leaves: twenty a day are enough for it", async () => {
    const others = Array.from({ length: 30 }, (_, nth) => `S${nth}`);
    const ann = await withTarget("eodhd", others);
    await ann.note();
    for (let minute = 0; minute < 120; minute += 15) {
      ann.setClock(at("13:40") + minute * MINUTE);
      await ann.wake();
    }
    await ann.play(at("23:50"));
    const symbols = ann.asked.flatMap((one) => one.symbols);
    expect(symbols.length).toBeLessThanOrEqual(20);
    const times = ann.asked.filter((one) => one.symbols.includes("AAPL.US")).map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(times.at(-1)).toBeGreaterThanOrEqual(at("20:40"));
    // Whoever looks has some of theirs.
    expect(new Set(symbols).size).toBeGreaterThan(5);
  });

  it("leaves a look the credits for as many first prices as it asks for, with their searches", async () => {
    const items = Array.from({ length: 10 }, (_, nth) => ({ symbol: `S${nth}`, exchange: "XNAS" }));
    const ann = await withTarget("eodhd", [], (person) => person.addSeveral({ items }));
    const listings = ["AAPL", ...items.map(({ symbol }) => symbol)].map((one) => traded(one, "100", at("19:59", 11)));
    await ann.room.set({ listings });
    await ann.note();
    await ann.wake();
    await ann.note();
    const asked = ann.asked.flatMap(({ symbols }) => symbols);
    const { results } = await env.DB.prepare(
      "SELECT i.symbol FROM quotes AS q JOIN instruments AS i ON i.id = q.instrument_id WHERE i.scope = ? AND q.price = 100",
    )
      .bind(ann.scope)
      .all();
    expect(results.map(({ symbol }) => symbol).sort()).toEqual(asked.toSorted());
    expect(asked.length).toBeGreaterThan(5);
  });

  it("takes turns with others when there are more of them than credits, and none asks twice before all had theirs", async () => {
    const others = Array.from({ length: 24 }, (_, nth) => `S${nth}`);
    const ann = await withTarget("eodhd", others);
    await env.DB.prepare("UPDATE stocks SET notify = 1 WHERE owner_email = ?").bind(ann.email).run();
    await ann.note();
    await ann.object.watchTargets(ann.email);
    await ann.note();
    await ann.play(at("23:50", 13));
    const symbols = ann.asked.flatMap((one) => one.symbols);
    expect(symbols.length).toBeLessThanOrEqual(40);
    expect(new Set(symbols).size).toBe(25);
  });
});

it("whoever switches a notice on is watched from then on, with no look at a list", async () => {
  const ann = await withPrices();
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", targetLow: "150" });
  const { length } = await ann.room.seen();
  await ann.act("update-stock", { id, set: { notify: true } });
  await expect.poll(async () => (await ann.room.seen()).length).toBeGreaterThan(length);
  await ann.object.watchTargets(ann.email);
  expect(await ann.list()).toMatchObject([{ lastPrice: "190.5" }]);
  expect(await runInDurableObject(ann.object, (_, { storage }) => storage.getAlarm())).toBeLessThan(
    Date.now() + 96 * HOUR,
  );
});
