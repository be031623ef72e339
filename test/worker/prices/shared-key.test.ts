/** A key that is everybody's: nobody takes so much of its day that nothing is left for others. */
import { env, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, inject, it } from "vitest";
import { continueDeletion, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { DAY_MS } from "../../../src/contract/day.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { FRESH_BUDGET } from "../../../src/quotes/object/budget.ts";
import { shareOf, watch, watchersOf } from "../../../src/quotes/object/remembered.ts";
import { QuotesObject } from "../../../src/quotes/quotes-object.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { forgetDeployment } from "../../support/workerd/forget-deployment.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

beforeEach(forgetDeployment);

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
      await new QuotesObject(ctx, world).refresh(email, null);
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
