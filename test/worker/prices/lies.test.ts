/** Sources that lie: what they say of units, splits, days and names harms nobody's list (decision 0102). */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, inject, it } from "vitest";
import { openDb } from "../../../src/db/db.ts";
import { saveRates } from "../../../src/db/prices/fx.ts";
import { fetchRates } from "../../../src/quotes/fx/refresh-rates.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import type { Listing } from "../../support/price-server/price-world.ts";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { askWith } from "../../support/workerd/ask-as-developer.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

/** Somebody whose Apple has the usual price; then the source says something else. */
const afterwards = async (next: Partial<Listing>, source: "twelvedata" | "eodhd" = "twelvedata") => {
  const ann = await withPrices({ listings: [APPLE] }, source);
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1", targetLow: "100" });
  await ann.wake();
  await ann.list();
  await ann.room.set({ listings: [{ ...APPLE, at: APPLE.at + 60, previousClose: undefined, ...next }] });
  await ann.forget();
  await ann.forgetCloses();
  await ann.wake();
  return { ...ann, id };
};

describe("a source that changes its mind in mid-day", () => {
  it.each([
    ["halves", { price: "90" }],
    ["says pounds for pence", { price: "1.905" }],
    ["says pence for pounds", { price: "19050" }],
    ["says a tenth", { price: "19.05" }],
    ["says the largest number there is", { price: "999999999999" }],
  ])("and %s: the price stays, is pending, and no target is hit", async (_, next) => {
    const ann = await afterwards(next);
    expect(await ann.list()).toMatchObject([
      { lastPrice: "190.5", marketValue: "190.5", priceState: "pending", targetState: "between" },
    ]);
  });

  it.each([
    ["the currency", { currency: "GBP" }],
    ["the market", { mic: "XETR" }],
    ["the day, to one of the past", { at: 86_400 }],
    ["the day, to one of the future", { at: 4_000_000_000 }],
    ["the time, to one that is none", { at: Number.MAX_SAFE_INTEGER }],
  ])("about %s: the price stays what it was", async (_, next) => {
    const ann = await afterwards({ price: "191", ...next });
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", marketValue: "190.5" }]);
  });
});

it.each(["0001-01-01", "1969-12-31", "9999-12-31"])(
  "a price of %s is refused alone: the other listings of its batch get theirs",
  async (day) => {
    const listing = { ...APPLE, mic: "XJPX", currency: "JPY" };
    const ann = await withPrices({
      listings: [
        { ...listing, symbol: "6758", day },
        { ...listing, symbol: "7203" },
      ],
    });
    const items = ["6758", "7203"].map((symbol) => ({ symbol, exchange: "XTKS", currency: "JPY" }));
    await ann.addSeveral({ items });
    await ann.wake();
    expect((await ann.quietList()).map(({ symbol, lastPrice }) => [symbol, lastPrice])).toEqual([
      ["6758", null],
      ["7203", "190.5"],
    ]);
  },
);

it("a price that was stored with a time to come gives way to the next one of its source", async () => {
  const ann = await withPrices({ listings: [APPLE] });
  await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
  await ann.wake();
  await ann.list();
  const asOf = "2099-01-01T00:00:00.000Z";
  await env.DB.batch([
    env.DB.prepare(
      "UPDATE quotes SET as_of = ?2 WHERE instrument_id IN (SELECT instrument_id FROM stocks WHERE owner_email = ?1)",
    ).bind(ann.email, asOf),
    env.DB.prepare("UPDATE stocks SET last_price_at = ?2 WHERE owner_email = ?1").bind(ann.email, asOf),
  ]);
  await ann.room.set({ listings: [{ ...APPLE, price: "191", at: APPLE.at + 60 }] });
  await ann.forget();
  await ann.wake();
  const lastPriceAt = new Date((APPLE.at + 60) * 1_000).toISOString();
  expect(await ann.list()).toMatchObject([{ lastPrice: "191", lastPriceAt, marketValue: "191" }]);
  expect(await ann.list()).toMatchObject([{ lastPrice: "191", lastPriceAt }]);
});

describe("a source whose first price is a jump from its own last close", () => {
  it("leaves the list readable, and the price that was typed in since, also once it is believed", async () => {
    const ann = await withPrices({ listings: [{ ...APPLE, price: "1" }] });
    const values = { quantity: "2", targetLow: "100" };
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", ...values, lastPrice: "180" });
    const other = await ann.add({ symbol: "AAPL", ...values });
    await ann.wake();
    const typed = { lastPrice: "180", lastPriceSource: "manual", marketValue: "360", targetState: "between" };
    const held = await ann.quietList();
    expect(held).toContainEqual(expect.objectContaining({ id, ...typed, priceState: "manual" }));
    expect(held).toContainEqual(expect.objectContaining({ id: other.id, lastPrice: null, priceState: "pending" }));
    await env.DB.prepare(
      `UPDATE quotes SET pending = json_set(pending, '$.sinceMs', 0)
       WHERE instrument_id = (SELECT instrument_id FROM stocks WHERE id = ?)`,
    )
      .bind(id)
      .run();
    await ann.forget();
    await ann.wake();
    const believed = await ann.quietList();
    expect(believed).toContainEqual(expect.objectContaining({ id, ...typed, priceState: "manual" }));
    expect(believed).toContainEqual(expect.objectContaining({ id: other.id, lastPrice: "1" }));
  });
});

it("a price that a row refuses leaves the list readable as it was, and is logged", async () => {
  const ann = await afterwards({ price: "191" });
  await env.DB.exec(
    `CREATE TRIGGER refuse_copy BEFORE UPDATE ON stocks WHEN NEW.id = '${ann.id}' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  );
  const log = captureLog();
  expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", marketValue: "190.5" }]);
  expect(log.lines({ message: "Prices were not copied to a list." })).toHaveLength(1);
  await env.DB.exec("DROP TRIGGER refuse_copy");
  expect(await ann.list()).toMatchObject([{ lastPrice: "191" }]);
});

describe("a source whose splits make no sense", () => {
  it.each([
    [10 ** 15, 1],
    [1, 10 ** 9],
    [1, 1],
  ])("such as %d for %d leaves the list readable, and no split waits", async (one, other) => {
    const split: [string, number, number] = [tradingDay(1), one, other];
    const at = Date.parse(`${tradingDay(1)}T15:30:00Z`) / 1_000;
    const ann = await afterwards({ price: "19.05", at, splits: [split] }, "eodhd");
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", pendingSplit: null, priceState: "pending" }]);
  });
});

describe("a source whose closes are in no order", () => {
  it("twice, or of days to come are one line, oldest first, that ends by today", async () => {
    const [old, newer, last] = [tradingDay(4), tradingDay(3), tradingDay(2)];
    const closes: [string, string][] = [
      [last, "191"],
      [old, "189"],
      ["2099-01-01", "199"],
      [newer, "190"],
      [old, "189"],
    ];
    const ann = await withPrices({ listings: [{ ...APPLE, closes }] });
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    const { history } = await ann.act("get-stock", { id, history: "max" });
    expect(history?.points).toEqual([
      [old, "189"],
      [newer, "190"],
      [last, "191"],
    ]);
  });
});

describe("rates", () => {
  // Rates are everybody's.
  afterEach(() => env.DB.prepare("DELETE FROM fx").run());

  it("of a day to come are not kept: newer ones would never be asked for", async () => {
    const room = priceRoom(inject("priceUrl"));
    await room.set({ fx: { day: "2099-01-01", rates: { USD: 9 } } });
    expect(await fetchRates({ ...env, FX_BASE_URL: room.url }, openDb(env.DB), Date.now())).toBe(false);
    expect((await env.DB.prepare("SELECT day FROM fx").all()).results).toEqual([]);
  });

  it("that cannot be fetched: the log says whether any are stored", async () => {
    const db = openDb(env.DB);
    const fetchFromNobody = () =>
      fetchRates({ ...env, FX_BASE_URL: priceRoom(inject("priceUrl")).url }, db, Date.now());
    const log = captureLog();
    await fetchFromNobody();
    await saveRates(db, { day: "2026-11-20", rates: { USD: "1.1" } }, Date.now());
    await fetchFromNobody();
    const told = log.lines({ level: "warn" }).map(({ message }) => String(message));
    expect(told.filter((message) => message.includes("exchange rates"))).toEqual([
      "The exchange rates could not be fetched, and none are stored.",
      "The exchange rates could not be fetched. The stored ones are used.",
    ]);
  });
});

describe("a key with line ends", () => {
  it.each(["k\r\nX-Evil: 1", "k\nk", "k\u0000", "k\u2028k", "k k", "k\u202e"])(
    "is taken by nobody: %j",
    async (key) => {
      const ann = await withPrices();
      expect(await ann.ask("PUT", "/_framework/settings/quotes-key", { source: "twelvedata", key })).toEqual({
        status: 400,
        body: { error: "key: use the key as the source gave it" },
      });
    },
  );

  it("of the deployment goes nowhere, and into no log", async () => {
    const log = captureLog();
    const room = priceRoom(inject("priceUrl"));
    const display = { QUOTES_LICENCE: "display", QUOTES_SOURCE: "twelvedata", QUOTES_KEY: `${room.key}\r\nX-Evil: 1` };
    expect((await askWith(display, "GET", "/_framework/settings")).body).toMatchObject({ quotes: { hasKey: false } });
    expect(await askWith(display, "POST", "/_framework/actions/find-symbol", { q: "zzz nobody has this" })).toEqual({
      status: 200,
      body: { matches: [] },
    });
    expect(await room.seen()).toEqual([]);
    expect(log.text()).not.toContain(room.key);
  });
});

describe("what another person's key has learned", () => {
  it("is reached by no id, no listing and no search of one's own", async () => {
    const ann = await withPrices({
      listings: [
        {
          ...APPLE,
          closes: [
            [tradingDay(3), "190"],
            [tradingDay(2), "191"],
          ],
        },
      ],
    });
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    await ann.act("find-symbol", { q: "Apple" });
    const bob = await withPrices({ listings: [] });
    const own = await bob.add({ symbol: "AAPL" });
    await bob.act("update-stock", { id: own.id, set: { instrument: { symbol: "AAPL", exchange: "XNAS" } } });
    expect((await bob.act("find-symbol", { q: "Apple" })).matches).toEqual([]);
    expect(await bob.post("get-stock", { id, history: "max" })).toMatchObject({ status: 404 });
    expect((await bob.act("get-stock", { id: own.id, history: "max" })).history).toBeNull();
    expect(await bob.act("refresh-quotes", { ids: [id] })).toEqual({ accepted: [], pending: [], refused: [] });
    await bob.wake();
    expect(await bob.list()).toMatchObject([{ lastPrice: null }]);
    const [spark] = (await bob.act("list-stocks", { spark: true })).items.map((item) => item.spark);
    expect(spark).toBeNull();
    // Not through the other's object either: it answers for its own key alone.
    const annsListing = await env.DB.prepare("SELECT instrument_id AS id FROM stocks WHERE id = ?")
      .bind(id)
      .first("id");
    expect(await bob.object.refresh(ann.email, null, crypto.randomUUID())).toEqual({
      accepted: [],
      pending: [],
      refused: [],
    });
    await bob.object.history(bob.email, String(annsListing));
    expect(
      (await bob.room.seen()).filter(({ path }) => path === "/time_series").every(({ key }) => key === bob.room.key),
    ).toBe(true);
  });
});
