/** Units and splits that a source tells late, or mixes: nothing is off by a hundred, and no split looks like a crash (decision 0102). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Listing } from "../../support/price-server/price-world.ts";
import { APPLE, comingTradingDay, tradingDay } from "../../support/price-server/trading-day.ts";
import { heldDate } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { SPLIT_AT, splitCloses, splitDays } from "../../support/workerd/with-split.ts";

/** Vodafone in London, in pence. */
const PENCE = {
  ...{ symbol: "VOD", mic: "XLON", market: "LSE", name: "Vodafone", currency: "GBX", price: "612" },
  ...{ at: APPLE.at, closes: splitCloses("610") },
};

const withPence = async (source: "twelvedata" | "eodhd", listing: Partial<typeof PENCE> = {}) => {
  const ann = await withPrices({ listings: [{ ...PENCE, ...listing }] }, source);
  const { id } = await ann.add({ symbol: "VOD", exchange: "XLON", currency: "GBX", quantity: "10", targetLow: "100" });
  await ann.wake();
  await ann.list();
  return {
    ...ann,
    id,
    points: async () => (await ann.act("get-stock", { id, history: "1y" })).history?.points.map(([, close]) => close),
  };
};

/** As if a held price had been seen for so long. */
const heldFor = (id: string, ms: number) =>
  env.DB.prepare(
    `UPDATE quotes SET pending = json_set(pending, '$.sinceMs', ?1)
     WHERE instrument_id = (SELECT instrument_id FROM stocks WHERE id = ?2)`,
  )
    .bind(Date.now() - ms, id)
    .run();

const HOUR = 3_600_000;

describe("a source that goes over to pounds without saying so", () => {
  it.each(["twelvedata", "eodhd"] as const)("with all its closes: no split, and no price: %s", async (source) => {
    const ann = await withPence(source);
    const pounds = { ...PENCE, price: "6.12", at: SPLIT_AT, closes: splitCloses("6.1") };
    for (let nth = 0; nth < 2; nth += 1) {
      await ann.room.set({ listings: [pounds] });
      await ann.forget();
      await ann.forgetCloses();
      await ann.wake();
      await heldFor(ann.id, 48 * HOUR);
    }
    expect(await ann.list()).toMatchObject([
      { lastPrice: "612", marketValue: "6120", priceState: "pending", pendingSplit: null, targetState: "between" },
    ]);
    expect(await ann.points()).toEqual(splitDays.map(() => "610"));
  });

  it.each(["twelvedata", "eodhd"] as const)("in the middle of its closes: those days have none: %s", async (source) => {
    const mixed = ["610", "611", "6.12", "6.13", "614", "615"];
    const closes = splitDays.map((day, place): [string, string] => [day, mixed[place] ?? ""]);
    const ann = await withPence(source, { closes });
    expect(await ann.points()).toEqual(["610", "611", "614", "615"]);
    const { points } = await ann.act("value-history", { range: "1y" });
    expect(points.every(([, value]) => Number(value) > 50)).toBe(true);
  });

  it.each(["twelvedata", "eodhd"] as const)(
    "in all its closes from the beginning: there is no chart: %s",
    async (source) => {
      const ann = await withPence(source, { closes: splitCloses("6.1") });
      expect(await ann.list()).toMatchObject([{ lastPrice: "612" }]);
      expect(await ann.points()).toBeUndefined();
    },
  );
});

/** A tenth of the price, which the source explains only with `listSplit`. Its closes follow where they come adjusted. */
const withUntoldSplit = async (source: "twelvedata" | "eodhd") => {
  const closes = splitCloses("190");
  const ann = await withPrices({ listings: [{ ...APPLE, closes }] }, source);
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "25", targetLow: "100" });
  await ann.wake();
  await ann.list();
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
  const tenth = { ...APPLE, price: "19.1", previousClose: undefined, at: SPLIT_AT };
  await ann.room.set({ listings: [{ ...tenth, closes }] });
  await ann.forget();
  await ann.wake();
  const listed = source === "eodhd" ? { closes } : { closes: splitCloses("19") };
  const listSplit = () => ann.room.set({ listings: [{ ...tenth, ...listed, splits: [[tradingDay(1), 10, 1]] }] });
  return { ann, id, listSplit };
};

describe("a split that the source lists only after its price", () => {
  it.each(["twelvedata", "eodhd"] as const)("waits for its person, and is no crash: %s", async (source) => {
    const { ann, id, listSplit } = await withUntoldSplit(source);
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", priceState: "pending", pendingSplit: null }]);
    // A day later it would be believed.
    await heldFor(id, 25 * HOUR);
    await listSplit();
    await ann.forget();
    await ann.wake();
    expect(await ann.list()).toMatchObject([
      { lastPrice: "190.5", quantity: "25", targetState: "between", pendingSplit: { numerator: 10, denominator: 1 } },
    ]);
  });

  it.each(["twelvedata", "eodhd"] as const)(
    "is known by its closes, should those be fetched before it is asked for again: %s",
    async (source) => {
      const { ann, id, listSplit } = await withUntoldSplit(source);
      await listSplit();
      // The held price is not due yet; the closes are.
      await ann.forgetCloses();
      await ann.wake();
      expect(await ann.list()).toMatchObject([
        { lastPrice: "190.5", priceState: "pending", pendingSplit: { numerator: 10, denominator: 1 } },
      ]);
      await ann.forget();
      await ann.wake();
      const [stock] = await ann.list();
      expect(stock).toMatchObject({ lastPrice: "190.5", quantity: "25", targetState: "between" });
      await ann.act("update-stock", { id, split: { day: stock?.pendingSplit?.day ?? "", answer: "apply" } });
      expect(await ann.list()).toMatchObject([{ lastPrice: "19.1", quantity: "250", pendingSplit: null }]);
      expect((await ann.act("get-stock", { id, history: "1y" })).history?.points.map(([, close]) => close)).toEqual(
        splitDays.map(() => "19"),
      );
    },
  );

  it("is asked for again when another price was held before", async () => {
    const ann = await withPrices({ listings: [APPLE] }, "eodhd");
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "25" });
    await ann.wake();
    await ann.list();
    await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
    const news = { ...APPLE, previousClose: undefined, at: SPLIT_AT };
    await ann.room.set({ listings: [{ ...news, price: "19050" }] });
    await ann.forget();
    await ann.wake();
    await ann.room.set({ listings: [{ ...news, price: "19.1", splits: [[tradingDay(1), 10, 1]] }] });
    await ann.forget();
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5", pendingSplit: { numerator: 10 } }]);
  });
});

const ofDay: [string, string] = [tradingDay(1), "127"];
const THREE_FOR_TWO: [string, number, number] = [tradingDay(1), 3, 2];

/** Three for two: no jump, and believed before anything explains it. `tell` is what the source says afterwards. */
const withBelievedSplit = async (source: "twelvedata" | "eodhd") => {
  const closes = splitCloses("190");
  const ann = await withPrices({ listings: [{ ...APPLE, closes }] }, source);
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "20", avgCost: "120" });
  await ann.wake();
  await ann.quietList();
  const linkedOn = (day: string) => env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(day, id).run();
  await linkedOn(tradingDay(2));
  const tell = async (change: { closes: [string, string][]; splits?: [string, number, number][] }) => {
    await ann.room.set({
      listings: [{ ...APPLE, price: "128", previousClose: undefined, at: SPLIT_AT, ...change }],
    });
    await ann.forgetCloses();
    await ann.wake();
    return await ann.list();
  };
  await ann.forget();
  expect(await tell({ closes })).toMatchObject([{ lastPrice: "128", pendingSplit: null }]);
  return { ...ann, id, linkedOn, tell };
};

describe("a split that the source tells after its price was believed", () => {
  const pendingSplit = { day: tradingDay(1), numerator: 3, denominator: 2 };
  const listed = { closes: splitCloses("190"), splits: [THREE_FOR_TWO] };

  it.each([
    ["eodhd", listed],
    ["twelvedata", { closes: splitCloses("126.66667") }],
    ["twelvedata", { closes: [...splitCloses("126.66667"), ofDay] }],
  ] as const)("waits for its person, once: %s", async (source, told) => {
    const { id, act, tell } = await withBelievedSplit(source);
    expect(await tell({ ...told, closes: [...told.closes] })).toMatchObject([{ lastPrice: "128", pendingSplit }]);
    await act("update-stock", { id, split: { day: pendingSplit.day, answer: "apply" } });
    const applied = [{ lastPrice: "128", quantity: "30", avgCost: "80", pendingSplit: null }];
    expect(await tell({ ...told, closes: [...told.closes] })).toMatchObject(applied);
  });

  it("waits for them when its day has a close already, and its chart has no step", async () => {
    const { id, act, linkedOn, tell } = await withBelievedSplit("eodhd");
    await linkedOn(tradingDay(3));
    const day = tradingDay(2);
    const closes: [string, string][] = [...splitCloses("190"), [day, "127"]];
    expect(await tell({ closes })).toMatchObject([{ pendingSplit: null }]);
    const [stock] = await tell({ closes, splits: [[day, 3, 2]] });
    expect(stock).toMatchObject({ lastPrice: "128", pendingSplit: { ...pendingSplit, day } });
    const { history } = await act("get-stock", { id, history: "1y" });
    expect(history?.points).toEqual([...splitCloses("126.6666666667"), [day, "127"]]);
  });

  it("is none to somebody who has had the stock only since", async () => {
    const { linkedOn, tell } = await withBelievedSplit("eodhd");
    await linkedOn(tradingDay(1));
    expect(await tell(listed)).toMatchObject([{ lastPrice: "128", pendingSplit: null }]);
  });

  it("is none before its day", async () => {
    const { tell } = await withBelievedSplit("eodhd");
    const splits: [string, number, number][] = [[comingTradingDay(), 3, 2]];
    expect(await tell({ ...listed, splits })).toMatchObject([{ lastPrice: "128", pendingSplit: null }]);
  });

  it("is the same when the source lists it under another day", async () => {
    const { id, act, linkedOn, tell } = await withBelievedSplit("eodhd");
    await linkedOn(tradingDay(3));
    const [stock] = await tell({ ...listed, splits: [[tradingDay(2), 3, 2]] });
    expect(stock?.pendingSplit).toEqual({ ...pendingSplit, day: tradingDay(2) });
    await act("update-stock", { id, split: { day: tradingDay(2), answer: "apply" } });
    expect(await tell(listed)).toMatchObject([{ quantity: "30", pendingSplit: null }]);
  });
});

describe("a source that has no more than the last half year", () => {
  const days = ["2053-06-10", "2054-02-03", "2054-06-10", "2054-12-28", "2054-12-29", "2054-12-30"];
  const newest: [string, string] = ["2055-01-05", "100"];
  const at = (close: string, from = ""): [string, string][] =>
    days.flatMap((day) => (day >= from ? [[day, close]] : []));

  /** A chart of closes at 110, once the price is another and the source has these closes and splits alone. */
  const chartAfter = async (currency: string, price: string, later: Partial<Pick<Listing, "closes" | "splits">>) => {
    heldDate(Date.parse("2055-01-06T18:00:00Z"));
    const listing = { ...PENCE, currency, price: "110", at: Date.now() / 1_000 };
    const ann = await withPrices({ listings: [{ ...listing, closes: at("110") }] }, "eodhd");
    const { id } = await ann.add({ symbol: "VOD", exchange: "XLON", currency });
    await ann.wake();
    await env.DB.prepare(
      "UPDATE quotes SET price = ? WHERE instrument_id = (SELECT instrument_id FROM stocks WHERE id = ?)",
    )
      .bind(price, id)
      .run();
    await ann.room.set({ listings: [{ ...listing, ...later }] });
    await ann.forgetCloses();
    await ann.wake();
    return (await ann.act("get-stock", { id, history: "max" })).history?.points;
  };

  it("leaves the closes that it has no longer, also of a year that it has a part of", async () => {
    const closes = [...at("110", "2054-06"), newest];
    expect(await chartAfter("USD", "100", { closes })).toEqual([...at("110"), newest]);
  });

  it("leaves none of that year in another unit than the price has by now", async () => {
    const closes: [string, string][] = [
      ["2054-12-31", "1.1"],
      ["2055-01-05", "1"],
    ];
    const points = await chartAfter("GBX", "1", { closes });
    expect(points?.filter(([day]) => day >= "2054")).toEqual(closes);
  });

  it("leaves none in the shares of before a split", async () => {
    const closes = [...at("110", "2054-06"), newest];
    const splits: [string, number, number][] = [["2055-01-05", 11, 10]];
    expect(await chartAfter("USD", "100", { closes, splits })).toEqual([...at("100", "2054-06"), newest]);
  });
});

describe("a chart of a listing that has no closes", () => {
  it.each(["twelvedata", "eodhd"] as const)(
    "takes its credits once, however often it is opened: %s",
    async (source) => {
      const ann = await withPrices({ listings: [APPLE] }, source);
      const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
      await ann.wake();
      const open = async () => (await ann.act("get-stock", { id, history: "1y" })).history;
      expect(await open()).toBeNull();
      const asked = await ann.room.seen();
      expect(await open()).toBeNull();
      expect(await open()).toBeNull();
      expect(await ann.room.seen()).toEqual(asked);
    },
  );
});

describe("a listing without a market", () => {
  it("is nothing that a source could be asked for that names them: its answer might be of any", async () => {
    const ann = await withPrices({ listings: [{ ...APPLE, mic: "XETR" }, APPLE] });
    const { id } = await ann.add({ symbol: "AAPL" });
    const instrument = { symbol: "AAPL", exchange: null };
    expect(await ann.post("update-stock", { id, set: { instrument } })).toMatchObject({ status: 409 });
  });
});
