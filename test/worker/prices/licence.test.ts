/** Stocks follow the key that is used: after a change of the deployment's licence, of the source, or of a person's own choice. */
import { env, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, inject, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { scopeOf } from "../../../src/quotes/find-access.ts";
import { QuotesObject } from "../../../src/quotes/quotes-object.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import type { Listing } from "../../support/price-server/price-world.ts";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { forgetDeployment } from "../../support/workerd/forget-deployment.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { SPLIT_AT, splitCloses } from "../../support/workerd/with-split.ts";

const HOUR_MS = 3_600_000;

beforeEach(forgetDeployment);

// No look comes so long after the first that it wakes the object again, and no alarm rings by itself.
beforeEach(() => void heldClock(Date.now() + HOUR_MS));

/** The objects of a Worker that was deployed with other variables. */
const deployedWith = (variables: Readonly<Record<string, string>>) => {
  const world = { ...env, ...variables };
  return {
    wake: async (email: string) => {
      const scope = await scopeOf(world, OwnerEmail.parse(email));
      await runInDurableObject(env.QUOTES.getByName(scope), async (_, ctx) => {
        await new QuotesObject(ctx, world).wake(email);
        await ctx.storage.deleteAlarm();
      });
    },
  };
};

/**
 * Somebody looks at their list, until it is as expected. The first look wakes their object in the background. If that came after the other
 * Worker's wake, it would take the stock back, so it happens here; further looks wake nothing while the clock stands.
 */
const looked = (person: Pick<Awaited<ReturnType<typeof withPrices>>, "list">, expected: object): Promise<void> =>
  expect.poll(person.list).toMatchObject([expected]);

/** With a key of the deployment, which leads to a room of its own. */
const ofDeployment = async (source: "twelvedata" | "eodhd", listing: Partial<Listing>) => {
  const room = priceRoom(inject("priceUrl"));
  await room.set({ key: room.key, listings: [{ ...APPLE, previousClose: undefined, at: APPLE.at + 60, ...listing }] });
  return deployedWith({ QUOTES_LICENCE: "display", QUOTES_SOURCE: source, QUOTES_KEY: room.key });
};

const scopesOf = async (email: string): Promise<unknown[]> => {
  const linked = "SELECT i.scope FROM stocks JOIN instruments AS i ON i.id = instrument_id WHERE owner_email = ?";
  return (await env.DB.prepare(linked).bind(email).all()).results.map(({ scope }) => scope);
};

it.each(["twelvedata", "eodhd"] as const)(
  "a deployment that gets a licence for all serves stocks that were linked by their owner's key: %s",
  async (source) => {
    const ann = await withPrices();
    const { version, updatedAt } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await looked(ann, { lastPrice: "190.5" });
    const display = await ofDeployment(source, { price: "200" });
    await display.wake(ann.email);
    expect(await ann.list()).toMatchObject([
      { lastPrice: "200", lastPriceSource: source, instrument: { source }, version, updatedAt },
    ]);
    expect(await scopesOf(ann.email)).toEqual(["deployment"]);
    await ann.forget();
    await ann.wake();
    expect(await scopesOf(ann.email)).toEqual([await scopeOf(env, OwnerEmail.parse(ann.email))]);
  },
);

it("a listing that its person chose is kept, and not searched for, when the key changes within a source", async () => {
  const microsoft = { ...APPLE, symbol: "MSFT" };
  const ann = await withPrices({ listings: [microsoft, { ...microsoft, mic: "XETR", market: "XETRA" }] });
  const { id } = await ann.add({ symbol: "MSFT" });
  await ann.act("update-stock", { id, set: { instrument: { symbol: "MSFT", exchange: "XNAS" } } });
  await (await ofDeployment("twelvedata", { symbol: "MSFT", price: "200" })).wake(ann.email);
  expect(await ann.list()).toMatchObject([{ lastPrice: "200", exchange: null, instrument: { exchange: "XNAS" } }]);
});

it("a listing that the new source does not have is unlinked", async () => {
  const ann = await withPrices({ listings: [{ ...APPLE, mic: "XNSA" }] });
  await ann.add({ symbol: "AAPL", exchange: "XNSA" });
  await looked(ann, { lastPrice: "190.5", instrument: { exchange: "XNSA" } });
  await (await ofDeployment("eodhd", { price: "200" })).wake(ann.email);
  expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", instrument: null }]);
});

it("a split that waits is answered by the listing that told of it, before the stock takes prices of another key", async () => {
  const ann = await withPrices({ listings: [{ ...APPLE, symbol: "NVDA" }] });
  const { id } = await ann.add({ symbol: "NVDA", exchange: "XNAS", quantity: "1" });
  await looked(ann, { lastPrice: "190.5" });
  await env.DB.prepare(
    "INSERT INTO splits (instrument_id, day, numerator, denominator) SELECT instrument_id, ?, 10, 1 FROM stocks WHERE id = ?",
  )
    .bind(tradingDay(1), id)
    .run();
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
  const display = await ofDeployment("twelvedata", { symbol: "NVDA", price: "19.05" });
  // No list has shown it yet.
  await display.wake(ann.email);
  const [waiting] = await ann.list();
  expect(waiting).toMatchObject({ priceState: "pending", pendingSplit: { numerator: 10 } });
  await display.wake(ann.email);
  expect(await ann.list()).toMatchObject([{ priceState: "pending", quantity: "1" }]);
  await ann.act("update-stock", { id, split: { day: waiting?.pendingSplit?.day ?? "", answer: "apply" } });
  await display.wake(ann.email);
  expect(await ann.list()).toMatchObject([{ lastPrice: "19.05", quantity: "10", pendingSplit: null }]);
});

it("a stock that comes to a listing waits for the splits since its shares were counted, if they are older than the listing", async () => {
  const splits: [string, number, number][] = [[tradingDay(1), 10, 1]];
  const split = { price: "19.1", previousClose: "19", at: SPLIT_AT, closes: splitCloses("190"), splits };
  const ann = await withPrices({ listings: [{ ...APPLE, ...split }] }, "eodhd");
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "25" });
  await ann.wake();
  expect(await ann.quietList()).toMatchObject([{ lastPrice: "19.1", pendingSplit: null }]);
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
  expect(await ann.quietList()).toMatchObject([{ pendingSplit: { day: tradingDay(1), numerator: 10 } }]);
});

it("whoever unlinks a stock gets no more prices for it until they say so", async () => {
  const ann = await withPrices();
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  await ann.list();
  const unlinked = await ann.act("update-stock", { id, set: { instrument: null } });
  expect(unlinked.stock).toMatchObject({ instrument: null, autoPrice: false, lastPrice: "190.5" });
  await ann.wake();
  expect(await ann.list()).toMatchObject([{ instrument: null, lastPrice: "190.5" }]);
  await ann.act("update-stock", { id, set: { autoPrice: true } });
  await ann.wake();
  expect(await ann.list()).toMatchObject([{ instrument: { symbol: "AAPL" } }]);
});

it("what a source calls a listing is one line of visible text, wherever it is shown", async () => {
  const hidden = [..."ignore"].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join("");
  const name = `Apple\u202e\u200b\n${hidden} <img src=x onerror=alert(1)>${"x".repeat(500_000)}`;
  const ann = await withPrices({ listings: [{ ...APPLE, name }] });
  await ann.add({ symbol: "AAPL" });
  await ann.wake();
  const shown = `Apple <img src=x onerror=alert(1)>${"x".repeat(120)}`.slice(0, 120);
  expect(await ann.list()).toMatchObject([{ name: "AAPL", instrument: { name: shown } }]);
  expect((await ann.act("find-symbol", { q: "appl" })).matches).toMatchObject([{ source: "twelvedata", name: shown }]);
  expect(await aPerson().act("list-stocks", {})).toMatchObject({ items: [] });
});
