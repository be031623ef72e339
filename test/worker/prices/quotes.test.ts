/** Prices from a source: linked, fetched, judged, and copied to stocks that nobody has changed (api.md §8). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { listStocks } from "../../../src/actions/list-stocks.ts";
import { createIdSource, OwnerEmail } from "../../../src/contract/ids.ts";
import { ListStocksInput } from "../../../src/contract/stocks/list-stocks.ts";
import { openDb } from "../../../src/db/db.ts";
import { APPLE, TRADED_AT } from "../../support/price-server/trading-day.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

/** As the routes call actions, without the limit of requests. */
const ACTION = {
  ...({ via: "screen" } as const),
  ...{ db: openDb(env.DB), prices: NO_PRICES, nowMs: Date.now, newId: createIdSource(Date.now) },
} as const;

const eventsOf = async (id: string) =>
  (await env.DB.prepare("SELECT count(*) AS n FROM stock_events WHERE stock_id = ?").bind(id).first())?.n;

/** As the screen sends a file's stock with "Update them". */
const importAs = async (email: string, stock: object) => {
  const headers = { "Content-Type": "application/json", "X-Updated-Via": "import" };
  const body = JSON.stringify({ items: [stock], onConflict: "update" });
  return (await fetchAs(email, "/_framework/actions/add-stock", { method: "POST", headers, body })).json<{
    results: unknown[];
  }>();
};

describe("a stock with a market", () => {
  it("gets its price with its time, its source and what it did today", async () => {
    const ann = await withPrices();
    const added = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "10", avgCost: "180", targetLow: "195" });
    expect(added).toMatchObject({ lastPrice: null, priceState: "none", autoPrice: true, instrument: null });
    await ann.wake();
    const [stock] = await ann.list();
    expect(stock).toMatchObject({
      ...{ lastPrice: "190.5", lastPriceAt: TRADED_AT, lastPriceSource: "twelvedata" },
      ...{ dayChange: "2.5", dayChangePct: "1.329787234", marketValue: "1905", gain: "105", gainPct: "5.8333333333" },
      ...{ targetState: "below_low", priceState: "close", pendingSplit: null },
      instrument: { source: "twelvedata", symbol: "AAPL", exchange: "XNAS", name: "AAPL" },
      ...{ version: added.version, updatedAt: added.updatedAt, updatedVia: added.updatedVia },
    });
    const { base } = await ann.act("list-stocks", {});
    expect(base).toMatchObject({ value: "1905", dayChange: "25", pricedAsOf: TRADED_AT, staleCount: 0 });
  });

  it("is fetched because somebody looks at the list, which does not wait", async () => {
    const ann = await withPrices();
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    const quotes = async () => (await ann.room.seen()).filter(({ path }) => path === "/quote");
    expect(await ann.list()).toMatchObject([{ lastPrice: null }]);
    // The first one probed the key.
    await expect.poll(quotes).toHaveLength(2);
    // Waits for what the list has set off.
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5" }]);
    expect(await quotes()).toHaveLength(2);
  });

  it("keeps version, events and time of change through a thousand prices, and an edit in between is no conflict", async () => {
    const ann = await withPrices();
    const added = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
    await ann.wake();
    await ann.list();
    const { id } = (await env.DB.prepare("SELECT instrument_id AS id FROM stocks WHERE id = ?").bind(added.id).first<{
      id: string;
    }>()) ?? { id: "" };
    const ctx = { ...ACTION, caller: { ownerEmail: OwnerEmail.parse(ann.email), orgId: null } };
    const move = env.DB.prepare("UPDATE quotes SET price = ?1, as_of = ?2 WHERE instrument_id = ?3");
    for (let nth = 1; nth <= 1_000; nth += 1) {
      const at = new Date(Date.parse(TRADED_AT) + nth).toISOString();
      await move.bind(`19${nth % 10}`, at, id).run();
      await listStocks.run(ctx, ListStocksInput.parse({}));
    }
    const [stock] = await ann.list();
    expect(stock).toMatchObject({ version: 1, updatedAt: added.updatedAt, lastPrice: "190", marketValue: "190" });
    expect(await eventsOf(added.id)).toBe(1);
    await move.bind("200", new Date(Date.parse(TRADED_AT) + 2_000).toISOString(), id).run();
    const edited = await ann.act("update-stock", { id: added.id, version: 1, set: { notes: "mine" } });
    expect(edited.stock).toMatchObject({ version: 2, lastPrice: "190" });
    expect(await ann.list()).toMatchObject([{ lastPrice: "200", notes: "mine", version: 2 }]);
  }, 120_000);

  it("of another currency than the source says gets no price", async () => {
    const ann = await withPrices();
    await ann.add({ symbol: "AAPL", exchange: "XNAS", currency: "EUR" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: null, priceState: "none" }]);
    expect(
      await env.DB.prepare(
        "SELECT count(*) AS n FROM quotes q JOIN instruments i ON i.id = q.instrument_id WHERE i.scope = ? AND i.currency = 'EUR'",
      )
        .bind(ann.scope)
        .first(),
    ).toEqual({ n: 0 });
  });

  it.each([
    ["GBX", { lastPrice: "72.5", priceState: "close" }],
    ["GBP", { lastPrice: null }],
  ])("kept in %s gets no price in pence that a source does not call so", async (currency, expected) => {
    const vodafone = { symbol: "VOD", mic: "XLON", market: "LSE", name: "Vodafone", currency: "GBX", price: "72.5" };
    const ann = await withPrices({ listings: [{ ...APPLE, ...vodafone, previousClose: "72" }] }, "eodhd");
    await ann.add({ symbol: "VOD", exchange: "XLON", currency, quantity: "1" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([expected]);
  });

  it.each(["XTKS", "XJPX"])("in Tokyo gets its price by either code of the market: %s", async (exchange) => {
    const toyota = { symbol: "7203", mic: "XJPX", name: "Toyota", currency: "JPY", price: "2700" };
    const ann = await withPrices({ listings: [{ ...APPLE, ...toyota, previousClose: "2690" }] });
    await ann.add({ symbol: "7203", exchange, currency: "JPY" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "2700", instrument: { exchange: "XTKS" } }]);
  });

  it("moved to another market takes that one's price, though it is of an earlier time", async () => {
    const inFrankfurt = { mic: "XETR", currency: "EUR", price: "160", previousClose: "159", at: APPLE.at - 3_600 };
    const ann = await withPrices({ listings: [APPLE, { ...APPLE, ...inFrankfurt }] });
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
    await ann.wake();
    await ann.list();
    await ann.act("update-stock", { id, set: { exchange: "XETR", currency: "EUR" } });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "160", dayChange: "1", priceState: "close" }]);
  });

  it("of another market is another stock", async () => {
    const ann = await withPrices();
    await ann.add({ symbol: "AAPL", exchange: "XETR", currency: "USD" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: null }]);
  });
});

describe("a stock without a market", () => {
  it("is linked when a single listing has its symbol and currency", async () => {
    const ann = await withPrices({ listings: [APPLE, { ...APPLE, mic: "XETR", currency: "EUR" }] });
    await ann.add({ symbol: "AAPL", name: "Apple Inc" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", exchange: null, instrument: { exchange: "XNAS" } }]);
  });

  it("is linked when its source writes the share class in another way", async () => {
    const ann = await withPrices({ listings: [{ ...APPLE, symbol: "BRK-B", name: "Berkshire" }] }, "eodhd");
    await ann.add({ symbol: "BRK.B" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", instrument: { symbol: "BRK-B.US" } }]);
  });

  it("is left alone when several do, and is not searched for again", async () => {
    const ann = await withPrices({ listings: [APPLE, { ...APPLE, mic: "XETR" }] });
    await ann.add({ symbol: "AAPL", name: "Apple Inc" });
    await ann.wake();
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: null, instrument: null }]);
    expect((await ann.room.seen()).filter(({ path }) => path === "/symbol_search")).toHaveLength(1);
  });
});

describe("a stock without a market whose symbol ends in one", () => {
  const listed = (symbol: string, mic: string, currency: string) => ({ ...APPLE, symbol, mic, currency });
  const listings = [
    ...[listed("SAP", "XETR", "EUR"), listed("SAP", "XFRA", "EUR"), listed("SAP", "XNYS", "USD")],
    ...[listed("ISAC", "XLON", "USD"), listed("ISAC", "XSWX", "USD"), listed("VOD", "XLON", "GBX")],
  ];

  it.each([
    ["SAP.DE", "EUR", { source: "twelvedata", symbol: "SAP", exchange: "XETR" }, 0],
    // London has listings in three units. Which one a fund is in, the search says.
    ["ISAC.L", "USD", { source: "twelvedata", symbol: "ISAC", exchange: "XLON" }, 1],
  ])("is linked to its listing there: %s in %s", async (symbol, currency, instrument, searches) => {
    const ann = await withPrices({ listings });
    await ann.add({ symbol, currency });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ symbol, exchange: null, lastPrice: "190.5", instrument }]);
    expect((await ann.room.seen()).filter(({ path }) => path === "/symbol_search")).toHaveLength(searches);
  });

  it("is left alone when that market has none in its currency", async () => {
    const ann = await withPrices({ listings });
    await ann.add({ symbol: "VOD.L", currency: "GBP" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: null, instrument: null }]);
  });
});

describe("a price that is typed in", () => {
  it("stays, and the source's come back when the person says so", async () => {
    const ann = await withPrices();
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "2" });
    await ann.wake();
    await ann.list();
    const typed = await ann.act("update-stock", { id, set: { lastPrice: "77" } });
    expect(typed.stock).toMatchObject({ lastPrice: "77", autoPrice: false, dayChange: null, priceState: "manual" });
    await ann.forget();
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "77", autoPrice: false }]);
    await ann.act("update-stock", { id, set: { autoPrice: true } });
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", autoPrice: true, marketValue: "381" }]);
  });

  it("and cleared again leaves the stock to its source", async () => {
    const ann = await withPrices();
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "2" });
    await ann.wake();
    await ann.list();
    const cleared = await ann.act("update-stock", { id, set: { lastPrice: null } });
    expect(cleared.stock).toMatchObject({ lastPrice: null, autoPrice: true, marketValue: null });
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", autoPrice: true }]);
  });

  it("goes with a stock that is deleted: added again, it takes prices as a new one", async () => {
    const ann = await withPrices();
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "2", targetLow: "1" });
    await ann.wake();
    await ann.act("update-stock", { id, set: { lastPrice: "77", notify: true } });
    await ann.act("delete-stock", { id });
    const again = await ann.add({ symbol: "AAPL", exchange: "XNAS", targetLow: "1" });
    const fresh = {
      autoPrice: true,
      notify: false,
      instrument: null,
      lastPrice: null,
      priceState: "none",
      dayChange: null,
    };
    expect(again).toMatchObject({ id, ...fresh });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ id, lastPrice: "190.5", priceState: "close", autoPrice: true }]);
  });

  it("on a stock that has no source yet is replaced by a later one alone", async () => {
    const ann = await withPrices();
    const early = await ann.add({
      symbol: "AAPL",
      exchange: "XNAS",
      lastPrice: "5",
      lastPriceAt: "2026-01-01T00:00:00Z",
    });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ id: early.id, lastPrice: "190.5" }]);
    const bob = await withPrices();
    await bob.add({ symbol: "AAPL", exchange: "XNAS", lastPrice: "5" });
    await bob.wake();
    expect(await bob.list()).toMatchObject([{ lastPrice: "5", priceState: "manual", autoPrice: true }]);
  });
});

describe("an import into a stock of the list", () => {
  const HOLDING = { symbol: "AAPL", exchange: "XNAS", quantity: "2", targetLow: "150" };
  const FILED = {
    ...HOLDING,
    quantity: "3",
    lastPrice: "77",
    lastPriceAt: "2026-01-01T00:00:00Z",
    lastPriceSource: "file",
  };

  it("leaves the source's price where there is one: what a file says of it is older, and not typed in", async () => {
    const ann = await withPrices();
    const { id } = await ann.add(HOLDING);
    await ann.wake();
    await ann.list();
    await ann.act("update-stock", { id, set: { notify: true } });
    const { results } = await importAs(ann.email, FILED);
    const kept = { lastPrice: "190.5", lastPriceAt: TRADED_AT, lastPriceSource: "twelvedata", dayChange: "2.5" };
    const linked = { autoPrice: true, notify: true, instrument: { source: "twelvedata" }, updatedVia: "import" };
    expect(results).toMatchObject([{ outcome: "updated", stock: { id, quantity: "3", ...kept, ...linked } }]);
    expect((await importAs(ann.email, { ...FILED, currency: null })).results).toMatchObject([{ stock: kept }]);
  });

  it("takes the file's where there is none: without a source, of another currency, or with a price of one's own", async () => {
    const filed = { lastPrice: "77", lastPriceSource: "file" };
    const ann = await withPrices();
    const { id } = await ann.add(HOLDING);
    expect((await importAs(ann.email, FILED)).results).toMatchObject([{ stock: { ...filed, autoPrice: true } }]);
    await ann.wake();
    await ann.list();
    expect((await importAs(ann.email, { ...FILED, currency: "EUR" })).results).toMatchObject([{ stock: filed }]);
    await ann.act("update-stock", { id, set: { currency: "USD" } });
    await ann.wake();
    await ann.act("update-stock", { id, set: { lastPrice: "5" } });
    expect((await importAs(ann.email, FILED)).results).toMatchObject([{ stock: { ...filed, autoPrice: false } }]);
  });
});

describe("a price that jumps", () => {
  it("is held and said to be, and the old one stays", async () => {
    const ann = await withPrices();
    await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
    await ann.wake();
    await ann.room.set({ listings: [{ ...APPLE, price: "1.9", previousClose: "1.88", at: APPLE.at + 60 }] });
    await ann.forget();
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", marketValue: "190.5", priceState: "pending" }]);
  });
});
