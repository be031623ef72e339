/** One person's stocks of one symbol can be thousands, each with long notes: nothing that one call asks for reads them all. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { aroundMethod } from "../../support/around-method.ts";
import { copyStock } from "../../support/workerd/copied-stock.ts";
import { inOneMinute, useUp } from "../../support/workerd/over-rate.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

/** In characters: of 300 such stocks it would be more than a million. */
const MAX_ANSWERED = 200_000;

const TAKEN = { status: 409, body: { error: "AAPL is already in your list." } };

/** A person with 300 stocks of one symbol: on XNAS, and on 1001 to 1299. */
const withMany = async (person = aPerson()) => {
  const { id } = await person.add({ symbol: "AAPL", exchange: "XNAS", notes: "x".repeat(4_000) });
  await copyStock(id, 299, "exchange");
  return { ...person, id };
};

/** How many characters D1 answers from now on. */
const watchAnswers = () => {
  const lengths: number[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", async (_, __, call) => {
    const response = z.instanceof(Response).parse(await call());
    lengths.push((await response.clone().text()).length);
    return response;
  });
  return () => lengths.reduce((sum, length) => sum + length, 0);
};

const NAMED = Array.from({ length: 100 }, (_, nth) => 1_001 + nth).join(", ");

/** What is answered to whoever does not say which one they mean. */
const SEVERAL = {
  status: 409,
  body: { error: `AAPL is on several exchanges: ${NAMED}, others. Give exchange as well, or id.` },
};

it("get-stock reads one of them, and names a hundred of their exchanges", async () => {
  const ann = await withMany();
  const answered = watchAnswers();
  expect(await ann.get("get-stock", "?symbol=AAPL")).toEqual(SEVERAL);
  expect((await ann.act("get-stock", { symbol: "AAPL", exchange: "XNAS" })).stock.id).toBe(ann.id);
  expect(answered()).toBeGreaterThan(4_000);
  expect(answered()).toBeLessThan(MAX_ANSWERED);
});

it("adding, renaming and restoring read the one that is in the way", async () => {
  const ann = await withMany();
  const other = await ann.add({ symbol: "MSFT", exchange: "1001" });
  const answered = watchAnswers();
  expect(await ann.post("add-stock", { symbol: "AAPL", exchange: "1001" })).toEqual(TAKEN);
  expect((await ann.add({ symbol: "AAPL" })).exchange).toBeNull();
  expect(await ann.post("add-stock", { symbol: "AAPL" })).toEqual(TAKEN);
  expect(await ann.post("update-stock", { id: other.id, set: { symbol: "AAPL" } })).toEqual(TAKEN);
  const renamed = await ann.act("update-stock", { id: other.id, set: { symbol: "AAPL", exchange: "XETR" } });
  expect(renamed.stock).toMatchObject({ symbol: "AAPL", exchange: "XETR" });
  expect(answered()).toBeGreaterThan(4_000);
  expect(answered()).toBeLessThan(MAX_ANSWERED);
});

it("of those in the trash, the one that was deleted last comes back", async () => {
  const ann = await withMany();
  await env.DB.prepare(
    `UPDATE stocks SET exchange = 'XETR', deleted_at = '2026-11-20T10:00:00.' || substr(exchange, 2) || 'Z'
     WHERE owner_email = ? AND exchange != 'XNAS'`,
  )
    .bind(ann.email)
    .run();
  const answered = watchAnswers();
  expect(await ann.post("add-stock", { symbol: "AAPL", exchange: "XETR" })).toMatchObject({
    status: 200,
    body: { stock: { id: `${ann.id}-299`, version: 2 } },
  });
  expect(answered()).toBeGreaterThan(4_000);
  expect(answered()).toBeLessThan(MAX_ANSWERED);
});

it("find-symbol knows the one that it found, without the notes of any", async () => {
  const ann = await withMany(await withPrices());
  const answered = watchAnswers();
  const { matches } = await ann.act("find-symbol", { q: "apple" });
  expect(matches).toMatchObject([{ symbol: "AAPL", exchange: "XNAS", stockId: ann.id, source: "list" }]);
  expect(answered()).toBeLessThan(MAX_ANSWERED);
});

it(
  "a call over the limit reads no more",
  inOneMinute(async () => {
    const ann = await withMany();
    await useUp(env.READ_LIMIT, ann.email);
    await useUp(env.ACTION_RATE, ann.email);
    const answered = watchAnswers();
    expect(await ann.get("get-stock", "?symbol=AAPL&exchange=XNAS")).toMatchObject({ status: 429 });
    expect(await ann.get("get-stock", "?symbol=AAPL")).toEqual(SEVERAL);
    expect(await ann.post("add-stock", { symbol: "AAPL", exchange: "1001" })).toEqual(TAKEN);
    expect(answered()).toBeLessThan(MAX_ANSWERED);
  }),
);
