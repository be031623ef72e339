/** `value-history`: today's holdings over the closes that are stored (api.md §8). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const closes: [string, string][] = [8, 5, 4, 3].map((nth, place) => [tradingDay(nth), String(100 + place)]);

it("is in one currency, from the first day on that all holdings have a close", async () => {
  const young = { ...APPLE, symbol: "MSFT", name: "Microsoft", closes: closes.slice(1) };
  const ann = await withPrices({ listings: [{ ...APPLE, closes }, young] });
  await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "2" });
  await ann.add({ symbol: "MSFT", exchange: "XNAS", quantity: "0.5", tags: ["new"] });
  await ann.add({ symbol: "HOUSE", quantity: "1", lastPrice: "9" });
  await ann.add({ symbol: "KO", exchange: "XNYS" });
  await ann.wake();
  await ann.wake();
  const seen = await ann.room.seen();
  const history = await ann.act("value-history", { range: "1y" });
  expect(history).toEqual({
    ...{ currency: "USD", ratesOn: null, shortest: "MSFT", without: ["HOUSE"], more: 0, sources: ["twelvedata"] },
    points: closes.slice(1).map(([day], place) => [day, String((101 + place) * 2.5)]),
  });
  expect((await ann.act("value-history", { range: "max", tags: ["new"] })).points).toEqual(
    closes.slice(1).map(([day], place) => [day, String((101 + place) * 0.5)]),
  );
  expect(await ann.act("value-history", { range: "1m", status: "watching" })).toMatchObject({
    points: [],
    without: [],
  });
  expect(await ann.room.seen()).toEqual(seen);
});

describe("while a split waits for its person", () => {
  const day = tradingDay(1);
  const days = [8, 7, 6, 5, 4, 3].map(tradingDay);
  const at = (close: string): [string, string][] => days.map((on) => [on, close]);
  const OTHER = { ...APPLE, symbol: "MSFT", name: "Microsoft", closes: at("100") };

  /** Somebody whose Apple was split 10 for 1: its closes are counted in new shares by now, its quantity in old ones. */
  const withSplit = async () => {
    const ann = await withPrices({ listings: [{ ...APPLE, closes: at("190") }, OTHER] }, "eodhd");
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "2" });
    await ann.add({ symbol: "MSFT", exchange: "XNAS", quantity: "1" });
    await ann.wake();
    await ann.wake();
    await ann.list();
    expect((await ann.act("value-history", { range: "1y" })).points).toEqual(at("480"));
    await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
    const split = { price: "19.1", previousClose: "19", at: Date.parse(`${day}T15:30:00Z`) / 1_000, closes: at("190") };
    await ann.room.set({ listings: [{ ...APPLE, ...split, splits: [[day, 10, 1]] }, OTHER] });
    await ann.forget();
    await ann.wake();
    await ann.forgetCloses();
    await ann.wake();
    return { ...ann, id };
  };

  it("a stock is left out and said to be, also before a list has shown the split", async () => {
    const ann = await withSplit();
    const apart = { points: at("100"), without: ["AAPL"] };
    expect(await ann.act("value-history", { range: "1y" })).toMatchObject(apart);
    expect(await ann.list()).toContainEqual(expect.objectContaining({ symbol: "AAPL", priceState: "pending" }));
    expect(await ann.act("value-history", { range: "1y" })).toMatchObject(apart);
  });

  it("no less than one whose prices are typed in, of which no list will show it", async () => {
    const ann = await withSplit();
    const typed = await ann.act("update-stock", { id: ann.id, set: { lastPrice: "190" } });
    expect(typed.stock).toMatchObject({ autoPrice: false, pendingSplit: null });
    await ann.list();
    expect(await ann.act("value-history", { range: "1y" })).toMatchObject({ points: at("100"), without: ["AAPL"] });
  });

  it("and is in it again, in new shares, once it is applied", async () => {
    const ann = await withSplit();
    await ann.list();
    await ann.act("update-stock", { id: ann.id, split: { day, answer: "apply" } });
    expect(await ann.act("value-history", { range: "1y" })).toMatchObject({ points: at("480"), without: [] });
  });
});

it("refuses a range that there is none of", async () => {
  const ann = await withPrices();
  expect(await ann.post("value-history", { range: "2y" })).toEqual({
    status: 400,
    body: { error: "range: use 1m, 6m, 1y, 5y or max" },
  });
});
