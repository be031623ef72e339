/** A key that is everybody's: nobody takes so much of its day that nothing is left for others. */
import { env, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { continueDeletion, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { DAY_MS } from "../../../src/contract/day.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { type Budget, FRESH_BUDGET } from "../../../src/quotes/object/credits.ts";
import { shareOf, watch, watchersOf } from "../../../src/quotes/object/remembered.ts";
import { QuotesObject } from "../../../src/quotes/quotes-object.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { copyStock } from "../../support/workerd/copied-stock.ts";
import { countD1 } from "../../support/workerd/count-d1.ts";
import { forgetDeployment } from "../../support/workerd/forget-deployment.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

beforeEach(forgetDeployment);

// What is used of a key is of a day, and no alarm rings by itself.
beforeEach(() => void heldClock(Date.now() + 3_600_000));

const NOON = Date.parse("2026-11-18T12:00:00Z");

it("is used first by whoever has used least of it today, and the next day begins anew", async () => {
  await runInDurableObject(env.QUOTES.getByName(crypto.randomUUID()), (_, { storage: { kv } }) => {
    for (const owner of ["ann", "bob", "eve"]) watch(kv, owner, NOON);
    shareOf(kv, "ann").add(3, NOON);
    shareOf(kv, "bob").add(1, NOON);
    shareOf(kv, "ann").add(4, NOON);
    expect(watchersOf(kv, NOON)).toEqual(["eve", "bob", "ann"]);
    expect(shareOf(kv, "ann").used(NOON)).toBe(7);
    expect(shareOf(kv, "ann").used(NOON + DAY_MS)).toBe(0);
    shareOf(kv, "bob").add(1, NOON + DAY_MS);
    expect(["ann", "bob"].map((owner) => shareOf(kv, owner).used(NOON + DAY_MS))).toEqual([0, 1]);
  });
});

it("gives no price to one who has used half of its day, and one to somebody else", async () => {
  const room = priceRoom(inject("priceUrl"));
  const listings = ["AAPL", "MSFT"].map((symbol) => ({ ...APPLE, symbol, previousClose: undefined }));
  await room.set({ key: room.key, listings });
  const world = { ...env, QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: room.key };
  const [greedy, other] = [aPerson(), aPerson()];
  await greedy.add({ symbol: "AAPL", exchange: "XNAS" });
  await other.add({ symbol: "MSFT", exchange: "XNAS" });
  await runInDurableObject(env.QUOTES.getByName("deployment"), async (_, ctx) => {
    const nowMs = Date.now();
    ctx.storage.kv.put("budget", { ...FRESH_BUDGET, day: Math.floor(nowMs / DAY_MS), usedOfDay: 400 });
    shareOf(ctx.storage.kv, greedy.email).add(400, nowMs);
    for (const { email } of [greedy, other]) await new QuotesObject(ctx, world).wake(email);
    expect(shareOf(ctx.storage.kv, other.email).used(Date.now())).toBeGreaterThan(0);
    await ctx.storage.deleteAlarm();
  });
  expect((await greedy.act("list-stocks", {})).items).toMatchObject([{ symbol: "AAPL", lastPrice: null }]);
  expect((await other.act("list-stocks", {})).items).toMatchObject([{ symbol: "MSFT", lastPrice: "190.5" }]);
});

it("forgets whose account is deleted", async () => {
  const room = priceRoom(inject("priceUrl"));
  await room.set({ key: room.key, listings: [{ ...APPLE, previousClose: undefined }] });
  const world = { ...env, QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: room.key };
  const [leaving, staying] = [aPerson(), aPerson()];
  const remembered = (email: string): Promise<boolean> =>
    runInDurableObject(env.QUOTES.getByName("deployment"), (_, { storage: { kv } }) =>
      JSON.stringify([...kv.list()]).includes(email),
    );
  await runInDurableObject(env.QUOTES.getByName("deployment"), async (_, ctx) => {
    for (const { email, add } of [leaving, staying]) {
      await add({ symbol: "AAPL", exchange: "XNAS" });
      await new QuotesObject(ctx, world).wake(email);
      await new QuotesObject(ctx, world).refresh(email, null, crypto.randomUUID());
    }
    await ctx.storage.deleteAlarm();
  });
  expect([await remembered(leaving.email), await remembered(staying.email)]).toEqual([true, true]);
  const ownerEmail = OwnerEmail.parse(leaving.email);
  const deletion = { ownerEmail, requestedAtMs: Date.now() - SETTLE_MS };
  await requestDeletion(openDb(env.DB), ownerEmail, deletion.requestedAtMs);
  expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
  expect([await remembered(leaving.email), await remembered(staying.email)]).toEqual([false, true]);
});

describe("that is refused", () => {
  const DAY = () => Math.floor(Date.now() / DAY_MS);

  /** Somebody with Apple, a key that the source takes or not, and a look with it by a Worker that was deployed with it. */
  const withKey = async (mood: "fine" | "auth", person = aPerson()) => {
    const room = priceRoom(inject("priceUrl"));
    await room.set({ key: room.key, mood, listings: [{ ...APPLE, previousClose: undefined }] });
    const world = { ...env, QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: room.key };
    return {
      ...{ room, person },
      look: () =>
        runInDurableObject(env.QUOTES.getByName("deployment"), async (_, ctx) => {
          const object = new QuotesObject(ctx, world);
          await object.wake(person.email);
          await ctx.storage.deleteAlarm();
          return { ...(await object.status(person.email)), kept: JSON.stringify([...ctx.storage.kv.list()]) };
        }),
    };
  };

  const keep = (budget: Partial<Budget>) =>
    runInDurableObject(env.QUOTES.getByName("deployment"), (_, { storage }) =>
      storage.kv.put("budget", { ...FRESH_BUDGET, ...budget }),
    );

  const REFUSED = { lastError: "auth", failures: 1, pausedUntilMs: Number.MAX_SAFE_INTEGER } as const;

  it("is not used again, and another one that is deployed is, with a day of its own", async () => {
    const refused = await withKey("auth");
    await refused.person.add({ symbol: "AAPL", exchange: "XNAS" });
    expect(await refused.look()).toMatchObject({ lastError: "auth", creditsLeft: 799 });
    await refused.look();
    expect(await refused.room.seen()).toHaveLength(1);
    const other = await withKey("fine", refused.person);
    // Ten minutes later.
    await env.DB.prepare("UPDATE instruments SET asked_at_ms = 0 WHERE scope = 'deployment'").run();
    const { kept, ...status } = await other.look();
    expect(status).toEqual({ lastError: null, creditsLeft: 799 });
    expect([kept.includes(refused.room.key), kept.includes(other.room.key)]).toEqual([false, false]);
    expect((await refused.person.act("list-stocks", {})).items).toMatchObject([{ lastPrice: "190.5" }]);
  });

  it("by an earlier release, which has not kept which one it was, is tried once more", async () => {
    const { room, person, look } = await withKey("auth");
    await person.add({ symbol: "AAPL", exchange: "XNAS" });
    await keep({ ...REFUSED, day: DAY(), usedOfDay: 100 });
    expect(await look()).toMatchObject({ lastError: "auth", creditsLeft: 699 });
    await look();
    expect(await room.seen()).toHaveLength(1);
  });
});

it("that an earlier release has used, and was not refused, has what is left of its day", async () => {
  const room = priceRoom(inject("priceUrl"));
  const world = { ...env, QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: room.key };
  const pausedUntilMs = Date.now() + DAY_MS;
  await runInDurableObject(env.QUOTES.getByName("deployment"), async (_, ctx) => {
    const nowMs = Date.now();
    const used = { day: Math.floor(nowMs / DAY_MS), usedOfDay: 300, failures: 9, lastError: "down", pausedUntilMs };
    ctx.storage.kv.put("budget", { ...FRESH_BUDGET, ...used });
    expect(await new QuotesObject(ctx, world).status(aPerson().email)).toEqual({ lastError: "down", creditsLeft: 500 });
    expect(ctx.storage.kv.get("budget")).toMatchObject(used);
  });
});

it("has half of its day for those who look, however many targets are told of, and half of the rest for others' targets", async () => {
  const [greedy, other, looker] = [aPerson(), aPerson(), aPerson()];
  const { id } = await greedy.add({ symbol: "GREED", exchange: "XNAS", targetLow: "1" });
  await copyStock(id, 450);
  await other.add({ symbol: "AAPL", exchange: "XNAS", targetLow: "1" });
  await looker.add({ symbol: "MSFT", exchange: "XNAS" });
  await env.DB.prepare("UPDATE stocks SET notify = 1 WHERE owner_email IN (?, ?)")
    .bind(greedy.email, other.email)
    .run();
  const room = priceRoom(inject("priceUrl"));
  const symbols = ["AAPL", "MSFT", "GREED", ...Array.from({ length: 450 }, (_, nth) => `GREED-${nth + 1}`)];
  const MIDNIGHT = Date.parse("2040-06-12T00:00:00Z");
  const at = MIDNIGHT / 1_000 - 4 * 3_600;
  const listings = symbols.map((symbol) => ({ ...APPLE, symbol, previousClose: undefined, at }));
  await room.set({ key: room.key, listings });
  const world = { ...env, QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: room.key };
  // People are signed out by then.
  const clock = heldClock(MIDNIGHT);
  await runInDurableObject(env.QUOTES.getByName("deployment"), async (_, ctx) => {
    const object = new QuotesObject(ctx, world);
    const play = async (owner: string, minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.forward(60_000);
        await object.watchTargets(owner);
      }
    };
    const left = async () => (await object.status(looker.email)).creditsLeft;
    await play(greedy.email, 60);
    expect(await left()).toBe(600);
    await play(other.email, 2);
    expect(await left()).toBe(599);
    await object.wake(looker.email);
    await ctx.storage.deleteAlarm();
  });
  const prices = await env.DB.prepare(
    `SELECT s.symbol, q.price FROM stocks AS s JOIN quotes AS q ON q.instrument_id = s.instrument_id
     WHERE s.owner_email IN (?, ?) ORDER BY s.symbol`,
  )
    .bind(other.email, looker.email)
    .all();
  expect(prices.results).toEqual(["AAPL", "MSFT"].map((symbol) => ({ symbol, price: "190.5" })));
});

it("works for whoever looks, and for all others when its alarm rings", async () => {
  const room = priceRoom(inject("priceUrl"));
  await room.set({ key: room.key, listings: [{ ...APPLE, previousClose: undefined }] });
  const world = { ...env, QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: room.key };
  const [ann, bob] = [aPerson(), aPerson()];
  await runInDurableObject(env.QUOTES.getByName("deployment"), async (_, ctx) => {
    const object = new QuotesObject(ctx, world);
    for (const { email, add } of [ann, bob]) {
      await add({ symbol: "AAPL", exchange: "XNAS" });
      await object.wake(email);
    }
    const soonMs = Date.now() + 60_000;
    await ctx.storage.setAlarm(soonMs);
    const asked = countD1();
    await object.wake(bob.email);
    expect([asked(ann.email), asked(bob.email)]).toEqual([0, 2]);
    expect(await ctx.storage.getAlarm()).toBe(soonMs);
    await object.alarm();
    expect(asked(ann.email)).toBe(2);
    await ctx.storage.deleteAlarm();
  });
});

it("has everybody's targets read once a minute, however many look, and at once when somebody has changed theirs", async () => {
  const room = priceRoom(inject("priceUrl"));
  await room.set({ key: room.key, listings: [{ ...APPLE, previousClose: undefined }] });
  const world = { ...env, QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: room.key };
  const [ann, bob] = [aPerson(), aPerson()];
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", targetLow: "1" });
  await bob.add({ symbol: "AAPL", exchange: "XNAS" });
  await env.DB.prepare("UPDATE stocks SET notify = 1 WHERE id = ?").bind(id).run();
  const clock = heldClock(Date.now());
  await runInDurableObject(env.QUOTES.getByName("deployment"), async (_, ctx) => {
    const object = new QuotesObject(ctx, world);
    const asked = countD1();
    const readsBy = async (work: Promise<unknown>) => {
      const before = asked("json_group_array(DISTINCT s.owner_email)");
      await work;
      return asked("json_group_array(DISTINCT s.owner_email)") - before;
    };
    // Before the prices that are due for the look, and after them.
    expect(await readsBy(object.wake(ann.email))).toBe(2);
    expect(await readsBy(object.wake(bob.email))).toBe(0);
    expect(await readsBy(object.watchTargets(ann.email))).toBeGreaterThan(0);
    expect(await readsBy(object.wake(bob.email))).toBe(0);
    clock.forward(60_000);
    expect(await readsBy(object.wake(bob.email))).toBe(2);
    // The next price of the target is still waited for.
    expect(await ctx.storage.getAlarm()).not.toBeNull();
    await ctx.storage.deleteAlarm();
  });
});
