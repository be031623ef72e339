/** `find-symbol`, `refresh-quotes`, charts and small lines (api.md §8). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { QuotesObject } from "../../../src/quotes/quotes-object.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { heldClock, heldDate } from "../../support/workerd/held-clock.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const GERMAN = { ...APPLE, mic: "XETR", market: "XETRA", currency: "EUR" } as const;

describe("find-symbol", () => {
  it("gives the person's own first, then each listing apart", async () => {
    const ann = await withPrices({ listings: [APPLE, { ...GERMAN, inPlan: false }] });
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", name: "Apple" });
    const { matches } = await ann.act("find-symbol", { q: "appl" });
    expect(matches).toEqual([
      {
        ...{ symbol: "AAPL", exchange: "XNAS", name: "Apple", assetType: "stock", currency: "USD" },
        ...{ isin: null, stockId: id, inPlan: true, source: "list" },
      },
      {
        ...{ symbol: "AAPL", exchange: "XETR", name: "Apple Inc", assetType: "stock", currency: "EUR" },
        ...{ isin: null, stockId: null, inPlan: false, source: "twelvedata" },
      },
    ]);
  });

  it.each([
    ["twelvedata", "XNAS"],
    ["eodhd", "XNAS"],
    ["eodhd", null],
  ] as const)("knows one's own by its listing, whatever one calls it: %s, %s", async (source, exchange) => {
    const ann = await withPrices(
      { listings: [APPLE, { ...APPLE, symbol: "APLE", name: "Apple Hospitality" }] },
      source,
    );
    const { id } = await ann.add({ symbol: "AAPL", exchange, name: "Phones" });
    await ann.wake();
    const { matches } = await ann.act("find-symbol", { q: "apple" });
    expect(matches).toMatchObject([
      { symbol: "AAPL", exchange, name: "Phones", stockId: id, source: "list" },
      { symbol: "APLE", stockId: null, source },
    ]);
  });

  it.each(["twelvedata", "eodhd"] as const)("takes half of a pair for a character: %s", async (source) => {
    const ann = await withPrices({}, source);
    const { matches } = await ann.act("find-symbol", { q: "\ud83d apple" });
    expect(matches).toEqual([]);
  });

  it("asks the source once for the same words", async () => {
    const ann = await withPrices();
    await ann.act("find-symbol", { q: "Apple" });
    await ann.act("find-symbol", { q: " apple " });
    expect((await ann.room.seen()).filter(({ path }) => path === "/symbol_search")).toHaveLength(1);
  });

  it("gives one's own, and why there is no more, with the source down", async () => {
    const ann = await withPrices();
    await ann.add({ symbol: "AAPL" });
    await ann.room.set({ mood: "down" });
    const found = await ann.act("find-symbol", { q: "aapl" });
    expect(found).toMatchObject({ matches: [{ symbol: "AAPL", source: "list" }], unavailable: "down" });
    expect(await ann.add({ symbol: "MSFT" })).toMatchObject({ symbol: "MSFT" });
  });

  it("offers nothing that cannot be added, and a name is one line of visible text", async () => {
    const name = `Evil\u202e\nCorp <b>${"x".repeat(200)}`;
    const odd = [
      { ...APPLE, symbol: "=CMD(1)", name },
      { ...APPLE, symbol: "EVIL", currency: "ZZZ", name },
      { ...APPLE, symbol: "EVIL", mic: "not a market", name },
    ];
    const ann = await withPrices({ listings: [...odd, { ...APPLE, symbol: "GOOD", name }] });
    const { matches } = await ann.act("find-symbol", { q: "evil" });
    expect(matches).toMatchObject([{ symbol: "GOOD", name: `Evil Corp <b>${"x".repeat(107)}` }]);
  });

  it.each(["html", "cut", "large", "redirect", "hang", "auth", "budget"] as const)(
    "gives one's own when the source answers by %s",
    async (mood) => {
      const ann = await withPrices();
      await ann.add({ symbol: "AAPL" });
      await ann.room.set({ mood });
      const found = await ann.act("find-symbol", { q: "aapl" });
      expect(found).toMatchObject({ matches: [{ symbol: "AAPL", source: "list" }] });
      expect(found.unavailable).toBe(mood === "auth" || mood === "budget" ? mood : "down");
    },
  );

  it("finds by ISIN where the source does, and links what is picked", async () => {
    const ann = await withPrices({ listings: [APPLE] }, "eodhd");
    const { matches } = await ann.act("find-symbol", { q: "US0378331005" });
    expect(matches).toMatchObject([{ symbol: "AAPL", exchange: null, currency: "USD", isin: "US0378331005" }]);
    const { id } = await ann.add({ symbol: "AAPL" });
    const instrument = { symbol: "AAPL", exchange: null };
    const { stock } = await ann.act("update-stock", { id, set: { instrument } });
    expect(stock.instrument).toMatchObject({ source: "eodhd", symbol: "AAPL.US" });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5" }]);
  });

  it("is read by POST alone, and works without a source", async () => {
    const person = aPerson();
    expect(await person.get("find-symbol", "?q=a")).toMatchObject({ status: 405 });
    expect(await person.act("find-symbol", { q: "a" })).toEqual({ matches: [] });
    expect(await person.post("find-symbol", { q: "" })).toEqual({
      status: 400,
      body: { error: "q: use 1 to 100 characters" },
    });
  });
});

it("a listing cannot be linked without a source", async () => {
  const person = aPerson();
  const { id } = await person.add({ symbol: "AAPL" });
  expect(await person.post("update-stock", { id, set: { instrument: { symbol: "AAPL", exchange: "XNAS" } } })).toEqual({
    status: 409,
    body: {
      error: "No price source knows this listing. Enter a key under Account, or choose another market.",
    },
  });
});

it("a listing is stored with the link alone, and not when that is refused", async () => {
  const ann = await withPrices();
  await ann.add({ symbol: "TAKEN", exchange: "XNAS" });
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  const symbol = `Q${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
  const stored = async () =>
    await env.DB.prepare("SELECT count(*) AS n FROM instruments WHERE symbol = ?").bind(symbol).first("n");
  const instrument = { symbol, exchange: "XNAS" };
  const refused = await ann.post("update-stock", { id, set: { symbol: "TAKEN", instrument } });
  expect([refused.status, await stored()]).toEqual([409, 0]);
  const { stock } = await ann.act("update-stock", { id, set: { instrument } });
  expect([stock.instrument?.symbol, await stored()]).toEqual([symbol, 1]);
});

describe("refresh-quotes", () => {
  it.each([
    ["that were looked at", true, ["NOPE"]],
    ["that were only added", false, ["NOPE", "NOWHERE"]],
  ])("says of stocks %s what came, what is held and what was refused", async (_, areLookedAt, unknown) => {
    const plan = { ...APPLE, symbol: "AIR", mic: "XPAR", currency: "EUR", inPlan: false };
    const ann = await withPrices({ listings: [APPLE, plan] });
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.add({ symbol: "AIR", exchange: "XPAR", currency: "EUR" });
    await ann.add({ symbol: "NOPE", exchange: "XPAR", currency: "EUR" });
    if (!areLookedAt) await ann.add({ symbol: "NOWHERE" });
    if (areLookedAt) await ann.wake();
    expect(await ann.act("refresh-quotes", {})).toEqual({
      accepted: ["AAPL"],
      pending: [],
      refused: [
        { symbol: "AIR", reason: "plan", retryAt: null },
        ...unknown.map((symbol) => ({ symbol, reason: "unknown", retryAt: null })),
      ],
    });
    expect(await ann.post("refresh-quotes", {})).toEqual({
      status: 429,
      body: { error: "Too many requests. Try again later." },
    });
  });

  it("keeps to the key's minute, and says what is still to come", async () => {
    heldClock(Date.now() + 3_600_000);
    const symbols = Array.from({ length: 12 }, (_, nth) => `S${nth}`);
    const ann = await withPrices({ listings: symbols.map((symbol) => ({ ...APPLE, symbol })) });
    await ann.addSeveral({ items: symbols.map((symbol) => ({ symbol, exchange: "XNAS" })) });
    await ann.wake();
    const quotes = (await ann.room.seen()).filter(({ path }) => path === "/quote");
    // The probe of the key, a batch of seven, and the eighth, as none of those had to be explained by a split.
    expect(quotes).toHaveLength(3);
    expect((await ann.list()).filter(({ lastPrice }) => lastPrice !== null)).toHaveLength(8);
  });

  it("of nobody's source does nothing", async () => {
    expect(await aPerson().act("refresh-quotes", {})).toEqual({ accepted: [], pending: [], refused: [] });
  });
});

describe("a chart", () => {
  const closes: [string, string][] = [40, 30, 15, 3, 2].map((nth, place) => [tradingDay(nth), String(100 + place)]);
  const tradedNow = (past: [string, string][]) => ({ listings: [{ ...APPLE, at: Date.now() / 1_000, closes: past }] });

  it.each(["twelvedata", "eodhd"] as const)(
    "has the closes of its range, fetched when it is opened: %s",
    async (source) => {
      const ann = await withPrices({ listings: [{ ...APPLE, closes }] }, source);
      const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
      await ann.wake();
      const { history } = await ann.act("get-stock", { id, history: "1m" });
      expect(history).toMatchObject({ currency: "USD", adjusted: "splits", source });
      expect(history?.points).toEqual(closes.slice(-3));
      expect((await ann.act("get-stock", { id, history: "1y" })).history?.points).toEqual(closes);
      expect(await ann.act("get-stock", { id })).not.toHaveProperty("history");
    },
  );

  it("draws no cliff where a source gives closes as they were traded", async () => {
    const raw: [string, string][] = [
      [tradingDay(20), "1000"],
      [tradingDay(3), "100"],
    ];
    const splits: [string, number, number][] = [[tradingDay(3), 10, 1]];
    const ann = await withPrices({ listings: [{ ...APPLE, closes: raw, splits }] }, "eodhd");
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    const { history } = await ann.act("get-stock", { id, history: "6m" });
    expect(history?.points.map(([, close]) => close)).toEqual(["100", "100"]);
  });

  it("leaves its stock as it is where the closes cannot be had", async () => {
    const ann = await withPrices({ listings: [APPLE] });
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    aroundMethod(QuotesObject.prototype, "history", async () => {
      throw new Error("D1 is away");
    });
    expect(await ann.act("get-stock", { id, history: "1y" })).toMatchObject({ stock: { id }, history: null });
  });

  it.each(["twelvedata", "eodhd"] as const)("has the day that has ended since it was fetched: %s", async (source) => {
    const ann = await withPrices({ listings: [{ ...APPLE, closes: closes.slice(0, -1) }] }, source);
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    await ann.room.set({ listings: [{ ...APPLE, closes }] });
    // So soon the source has nothing newer: it is not asked again.
    await ann.wake();
    expect((await ann.act("get-stock", { id, history: "1y" })).history?.points).toEqual(closes.slice(0, -1));
    await ann.forgetCloses();
    await ann.wake();
    expect((await ann.act("get-stock", { id, history: "1y" })).history?.points).toEqual(closes);
  });

  it.each(["twelvedata", "eodhd"] as const)(
    "is in new shares after a split that no price told of: %s",
    async (source) => {
      const old: [string, string][] = [800, 9, 8, 7, 6, 5].map((nth) => [tradingDay(nth), "1000"]);
      const ann = await withPrices({ listings: [{ ...APPLE, closes: old }] }, source);
      const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
      await ann.wake();
      const day = tradingDay(3);
      const asTraded: [string, string][] = [...old, [day, "100"]];
      const adjusted: [string, string][] = asTraded.map(([of]) => [of, "100"]);
      const splits: [string, number, number][] = [[day, 10, 1]];
      await ann.room.set({ listings: [{ ...APPLE, closes: source === "eodhd" ? asTraded : adjusted, splits }] });
      await ann.forgetCloses();
      await ann.wake();
      expect((await ann.act("get-stock", { id, history: "max" })).history?.points).toEqual(adjusted);
    },
  );

  it("is in new shares after a split in the first days of a year, which its closes alone tell", async () => {
    heldDate(Date.parse("2055-01-06T18:00:00Z"));
    const days = ["2053-03-03", "2054-12-28", "2054-12-29", "2054-12-30", "2054-12-31", "2055-01-04"];
    const inShares = (close: string) => days.map((day): [string, string] => [day, close]);
    const ann = await withPrices(tradedNow(inShares("1000")));
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    const after: [string, string][] = [...inShares("100"), ["2055-01-05", "100"]];
    await ann.room.set(tradedNow(after));
    await ann.forgetCloses();
    await ann.wake();
    expect((await ann.act("get-stock", { id, history: "max" })).history?.points).toEqual(after);
  });

  it("keeps what its source no longer has of the year before", async () => {
    heldDate(Date.parse("2055-01-20T18:00:00Z"));
    const days = ["2054-03-03", "2054-06-10", "2054-11-25", "2055-01-08", "2055-01-15"];
    const inFull = days.map((day): [string, string] => [day, "100"]);
    const ann = await withPrices(tradedNow(inFull));
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    const newest: [string, string] = ["2055-01-19", "101"];
    await ann.room.set(tradedNow([...inFull.slice(2), newest]));
    await ann.forgetCloses();
    await ann.wake();
    expect((await ann.act("get-stock", { id, history: "max" })).history?.points).toEqual([...inFull, newest]);
  });

  it("of a stock without a listing is none", async () => {
    const person = aPerson();
    const { id } = await person.add({ symbol: "AAPL" });
    expect((await person.act("get-stock", { id, history: "max" })).history).toBeNull();
  });

  it("is a small line in a list that asks for it", async () => {
    const ann = await withPrices({ listings: [{ ...APPLE, closes }] });
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.add({ symbol: "MSFT" });
    await ann.wake();
    const { items } = await ann.act("list-stocks", { spark: true });
    expect(items.map(({ spark }) => spark)).toEqual([[0, 25, 50, 75, 100], null]);
    expect((await ann.list())[0]).not.toHaveProperty("spark");
  });
});
