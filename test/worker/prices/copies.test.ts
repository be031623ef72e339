/** Prices are copied to all stocks of a list by its first page, and not by those behind it (decision 0103). */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { APPLE, TRADED_AT } from "../../support/price-server/trading-day.ts";
import { copyStock } from "../../support/workerd/copied-stock.ts";
import { MAX_TEXT_BYTES, watchTexts } from "../../support/workerd/longest-text.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

/** More than one statement copies. */
const STOCKS = 600;
const BATCH = 100;

it("more stocks than a statement takes get their price by one look, and a later page keeps that of the first", async () => {
  const ann = await withPrices();
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  await ann.list();
  for (let start = 0; start < STOCKS; start += BATCH) {
    const items = Array.from({ length: BATCH }, (_, nth) => ({ symbol: `S${start + nth}`, exchange: "XNYS" }));
    await ann.addSeveral({ items });
  }
  // All of them are of the one listing.
  await env.DB.prepare(
    `UPDATE stocks SET instrument_id = one.instrument_id, instrument = one.instrument
     FROM stocks AS one WHERE one.id = ?1 AND stocks.owner_email = one.owner_email`,
  )
    .bind(id)
    .run();
  const move = (price: string, seconds: number) =>
    env.DB.prepare(
      "UPDATE quotes SET price = ?1, as_of = ?2 WHERE instrument_id = (SELECT instrument_id FROM stocks WHERE id = ?3)",
    )
      .bind(price, new Date(Date.parse(TRADED_AT) + seconds * 1_000).toISOString(), id)
      .run();
  const stored = async () =>
    (
      await env.DB.prepare(
        "SELECT last_price AS price, version, count(*) AS n FROM stocks WHERE owner_email = ? GROUP BY last_price, version",
      )
        .bind(ann.email)
        .all()
    ).results;
  await move("191", 60);
  const page = { sort: "lastPrice", limit: 200 } as const;
  const first = await ann.act("list-stocks", page);
  expect(await stored()).toEqual([{ price: "191", version: 1, n: STOCKS + 1 }]);
  await move("192", 120);
  const second = await ann.act("list-stocks", { ...page, cursor: first.nextCursor ?? "" });
  expect(new Set([...first.items, ...second.items].map(({ lastPrice }) => lastPrice))).toEqual(new Set(["191"]));
  expect(new Set([...first.items, ...second.items].map((item) => item.id)).size).toBe(400);
  expect(await stored()).toEqual([{ price: "191", version: 1, n: STOCKS + 1 }]);
  await ann.act("list-stocks", page);
  expect(await stored()).toEqual([{ price: "192", version: 1, n: STOCKS + 1 }]);
});

it("a full list of the longest amounts, all of whose prices have moved, can be read, and has them after three looks", async () => {
  const ann = await withPrices();
  const most = "999999999999.9999999999";
  const amounts = { quantity: most, avgCost: most, targetLow: "111111111111.1111111111", targetHigh: most };
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", ...amounts });
  await ann.wake();
  await ann.list();
  await copyStock(id, 4_999);
  const listed = "instrument_id = (SELECT instrument_id FROM stocks WHERE id = ?1)";
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE quotes SET price = '${most}', previous_close = '888888888888.8888888888', as_of = ?2 WHERE ${listed}`,
    ).bind(id, new Date(Date.parse(TRADED_AT) + 60_000).toISOString()),
    env.DB.prepare(
      "INSERT INTO splits SELECT instrument_id, '2026-01-02', 10000000, 9999999 FROM stocks WHERE id = ?",
    ).bind(id),
  ]);
  const longest = watchTexts();
  const copied = async () => {
    await ann.act("list-stocks", { limit: 1 });
    const statement = "SELECT count(*) AS n FROM stocks WHERE owner_email = ? AND last_price = ?";
    return await env.DB.prepare(statement).bind(ann.email, most).first("n");
  };
  expect([await copied(), await copied(), await copied()]).toEqual([2_000, 4_000, 5_000]);
  expect(longest()).toBeLessThan(MAX_TEXT_BYTES);
});

it("a price that its source corrects at the same time is copied", async () => {
  const ann = await withPrices();
  await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  expect(await ann.quietList()).toMatchObject([{ lastPrice: "190.5", lastPriceAt: TRADED_AT }]);
  for (const price of ["191", "192"]) {
    await ann.room.set({ listings: [{ ...APPLE, price }] });
    await ann.forget();
    await ann.wake();
    expect(await ann.quietList()).toMatchObject([{ lastPrice: price }]);
  }
});
