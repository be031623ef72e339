/** Splits: found, waiting for their person, answered, and the answer taken back (api.md §8). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ActionContext } from "../../../src/actions/define-action.ts";
import { updateStock } from "../../../src/actions/update-stock.ts";
import { createIdSource, OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { tellTargetHits } from "../../../src/notice/tell-target-hits.ts";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";
import { heldClock, heldDate } from "../../support/workerd/held-clock.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { SPLIT_AT, splitCloses, splitDays, withSplit } from "../../support/workerd/with-split.ts";

const before = splitCloses("190");
const after = splitCloses("19");

describe("a split", () => {
  it.each(["twelvedata", "eodhd"] as const)("waits for its person, and no target is hit: %s", async (source) => {
    const { stock } = await withSplit(source);
    expect(stock).toMatchObject({
      ...{ lastPrice: "190.5", quantity: "25", priceState: "pending", targetState: "between" },
      pendingSplit: { numerator: 10, denominator: 1 },
    });
  });

  it.each(["twelvedata", "eodhd"] as const)("of three for two is no ordinary day's fall: %s", async (source) => {
    const ann = await withPrices({ listings: [{ ...APPLE, closes: before }] }, source);
    await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "20", targetLow: "150" });
    await ann.wake();
    await ann.list();
    const two = source === "eodhd" ? before : splitDays.map((day): [string, string] => [day, "126.66667"]);
    const split = { price: "128", previousClose: "126.67", at: SPLIT_AT, closes: two };
    await ann.room.set({ listings: [{ ...APPLE, ...split, splits: [[tradingDay(1), 3, 2]] }] });
    await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE owner_email = ?").bind(tradingDay(2), ann.email).run();
    await ann.forget();
    await ann.wake();
    expect(await ann.list()).toMatchObject([
      {
        ...{ lastPrice: "190.5", priceState: "pending", targetState: "between" },
        pendingSplit: { numerator: 3, denominator: 2 },
      },
    ]);
  });

  it("that shows in its closes alone leaves those of earlier years", async () => {
    const lastYear = `${new Date().getUTCFullYear() - 1}-06-10`;
    const ann = await withPrices({ listings: [{ ...APPLE, closes: [[lastYear, "150"], ...before] }] });
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    await ann.forgetCloses();
    const split = { price: "19.1", previousClose: "19", at: SPLIT_AT };
    await ann.room.set({ listings: [{ ...APPLE, ...split, closes: [[lastYear, "15"], ...after] }] });
    await ann.forget();
    await ann.wake();
    const { history } = await ann.act("get-stock", { id, history: "max" });
    expect(history?.points).toEqual([[lastYear, "15"], ...after]);
  });

  it("that is applied scales quantity, cost and targets in one change, and the price goes on", async () => {
    const { act, list, id, stock } = await withSplit("eodhd");
    const day = stock?.pendingSplit?.day ?? "";
    const applied = await act("update-stock", { id, version: stock?.version ?? 0, split: { day, answer: "apply" } });
    expect(applied.stock).toMatchObject({
      ...{ quantity: "250", avgCost: "11.82", targetLow: "12", targetHigh: "40", lastPrice: "19.05" },
      ...{ costBasis: "2955", pendingSplit: null, autoPrice: true, version: (stock?.version ?? 0) + 1 },
    });
    expect(await list()).toMatchObject([{ lastPrice: "19.1", quantity: "250", pendingSplit: null }]);
  });

  it.each(["twelvedata", "eodhd"] as const)(
    "whose source still has the close before in old shares tells no change of the day: %s",
    async (source) => {
      // So that the market's day does not settle between two of these steps.
      heldClock(Date.now() + 3_600_000);
      const ann = await withSplit(source, "190");
      const day = ann.stock?.pendingSplit?.day ?? "";
      await ann.act("update-stock", { id: ann.id, split: { day, answer: "apply" } });
      expect(await ann.list()).toMatchObject([{ lastPrice: "19.1", dayChange: null, dayChangePct: null }]);
      const later = { price: "19.3", previousClose: "190", at: SPLIT_AT + 3_600 };
      await ann.room.set({ listings: [{ ...APPLE, ...later, closes: after, splits: [[tradingDay(1), 10, 1]] }] });
      await ann.forget();
      await ann.wake();
      expect(await ann.list()).toMatchObject([{ lastPrice: "19.3", priceState: "close", dayChange: null }]);
    },
  );

  it("that is applied leaves a price that was typed in since", async () => {
    const { act, id, stock } = await withSplit("eodhd");
    const typed = await act("update-stock", { id, set: { lastPrice: "19.4" } });
    expect(typed.stock).toMatchObject({ quantity: "25", lastPrice: "19.4", priceState: "pending" });
    const split = { day: stock?.pendingSplit?.day ?? "", answer: "apply" as const };
    const applied = await act("update-stock", { id, split });
    expect(applied.stock).toMatchObject({ quantity: "250", avgCost: "11.82", lastPrice: "19.4", pendingSplit: null });
  });

  it("that is not theirs is dismissed", async () => {
    const { act, list, id, stock } = await withSplit("eodhd");
    await act("update-stock", { id, split: { day: stock?.pendingSplit?.day ?? "", answer: "dismiss" } });
    expect(await list()).toMatchObject([{ lastPrice: "19.1", quantity: "25", targetState: "below_low" }]);
  });

  it("that waits is asked about again under the listing that it comes back to", async () => {
    const { act, list, wake, id, stock } = await withSplit("eodhd");
    await act("update-stock", { id, set: { currency: "EUR" } });
    await act("update-stock", { id, set: { currency: "USD" } });
    await list();
    await wake();
    expect(await list()).toMatchObject([{ quantity: "25", priceState: "pending", pendingSplit: stock?.pendingSplit }]);
  });

  it("that is answered already is refused", async () => {
    const { post, act, id, stock } = await withSplit("eodhd");
    const split = { day: stock?.pendingSplit?.day ?? "", answer: "apply" as const };
    await act("update-stock", { id, split });
    expect(await post("update-stock", { id, split })).toEqual({
      status: 409,
      body: { error: `AAPL has no split of ${split.day} to answer. Read it again.` },
    });
  });

  it.each(["apply", "dismiss"] as const)(
    "whose answer was undone is as it was and can be answered again: %s",
    async (answer) => {
      const { post, act, list, id, stock } = await withSplit("eodhd");
      const day = stock?.pendingSplit?.day ?? "";
      const given = await act("update-stock", { id, split: { day, answer } });
      const { version } = given.stock;
      // As the app does after each change. It copies the source's price, which counts new shares.
      await list();
      const undone = await act("update-stock", { id, version, split: { day, answer: "undo" } });
      // What the price did that day is not written down; the next quote says it.
      const { version: _, updatedAt: __, dayChange: ___, dayChangePct: ____, ...before } = stock ?? {};
      expect(undone.stock).toMatchObject({ ...before, version: version + 1 });
      expect(await list()).toMatchObject([before]);
      expect(await post("update-stock", { id, split: { day, answer: "undo" } })).toEqual({
        status: 409,
        body: { error: `AAPL has no answer to a split of ${day} to take back. Read it again.` },
      });
      const again = await act("update-stock", { id, split: { day, answer: "apply" } });
      expect(again.stock).toMatchObject({ quantity: "250", avgCost: "11.82", targetLow: "12", pendingSplit: null });
      expect(again.stock.marketValue).toMatch(/^47[67]/);
      expect(await list()).toMatchObject([
        { lastPrice: "19.1", quantity: "250", priceState: expect.not.stringMatching("pending") },
      ]);
    },
  );

  it("whose answer is to be taken back is shown with what it would restore", async () => {
    const { act, email, id, stock } = await withSplit("eodhd");
    const day = stock?.pendingSplit?.day ?? "";
    const agent: ActionContext = {
      ...{ db: openDb(env.DB), caller: { ownerEmail: OwnerEmail.parse(email), orgId: null }, via: "agent" },
      ...{ prices: NO_PRICES, nowMs: Date.now, newId: createIdSource(Date.now) },
    };
    const undo = { id, split: { day, answer: "undo" } } as const;
    await expect(updateStock.before?.(agent, undo)).rejects.toMatchObject({ status: 409 });
    await act("update-stock", { id, split: { day, answer: "apply" } });
    expect(await updateStock.before?.(agent, undo)).toMatchObject({
      shown: {
        quantity: "250",
        former: { quantity: "25", avgCost: "118.2", targetLow: "120", pendingSplit: stock?.pendingSplit },
      },
    });
  });

  it("that a rename has ended is no answer to take back", async () => {
    const { post, act, id, stock } = await withSplit("eodhd");
    const day = stock?.pendingSplit?.day ?? "";
    await act("update-stock", { id, set: { symbol: "APC" } });
    expect(await post("update-stock", { id, split: { day, answer: "undo" } })).toEqual({
      status: 409,
      body: { error: `APC has no answer to a split of ${day} to take back. Read it again.` },
    });
  });

  it("has its closes fetched again at the next look", async () => {
    const { act, wake, id } = await withSplit("twelvedata");
    await wake();
    const { history } = await act("get-stock", { id, history: "max" });
    expect(history?.points).toEqual(after);
  });

  it("whose stock was changed since is not undone", async () => {
    const { post, act, id, stock } = await withSplit("eodhd");
    const day = stock?.pendingSplit?.day ?? "";
    await act("update-stock", { id, split: { day, answer: "apply" } });
    await act("update-stock", { id, set: { quantity: "260" } });
    expect(await post("update-stock", { id, split: { day, answer: "undo" } })).toMatchObject({ status: 409 });
  });

  it.each([false, true])(
    "waits for a stock that is linked again, its listing deleted by then: %s",
    async (isDeleted) => {
      const { act, list, id, scope, wake } = await withSplit("eodhd");
      const unlinked = await act("update-stock", { id, set: { instrument: null } });
      expect(unlinked.stock).toMatchObject({ instrument: null, pendingSplit: null });
      if (isDeleted) await env.DB.prepare("DELETE FROM instruments WHERE scope = ?").bind(scope).run();
      await act("update-stock", { id, set: { autoPrice: true } });
      await wake();
      expect(await list()).toMatchObject([
        { lastPrice: "190.5", quantity: "25", priceState: "pending", pendingSplit: { numerator: 10, denominator: 1 } },
      ]);
    },
  );

  it.each([{}, { exchange: "XNGS" }])("waits for a stock whose listing was chosen again, with %j", async (set) => {
    const { act, list, id } = await withSplit("eodhd");
    await act("update-stock", { id, set: { instrument: null } });
    await act("update-stock", { id, set: { ...set, instrument: { symbol: "AAPL", exchange: "XNAS" } } });
    expect(await list()).toMatchObject([
      { lastPrice: "190.5", quantity: "25", priceState: "pending", pendingSplit: { numerator: 10, denominator: 1 } },
    ]);
  });

  it("is none of a stock that has become another one", async () => {
    const { act, list, id } = await withSplit("eodhd");
    await act("update-stock", { id, set: { symbol: "APC", instrument: { symbol: "AAPL", exchange: "XNAS" } } });
    expect(await list()).toMatchObject([{ symbol: "APC", lastPrice: "19.1", quantity: "25", pendingSplit: null }]);
  });
});

it.each([
  // By the clocks of Sydney and New York: 9:30 and 23:30 the day before, 21:00 the day before and midnight.
  ["XASX", "AUD", "2026-06-11T23:30:00.000Z", "19"],
  ["XASX", "AUD", "2026-06-11T13:30:00.000Z", "1.9"],
  ["XNAS", "USD", "2026-06-12T01:00:00.000Z", "1.9"],
  ["XNAS", "USD", "2026-06-12T04:00:00.000Z", "19"],
])("a price in %s, %s, of %s is of the market's own day: a split of 2026-06-12 leaves %s", async (...given) => {
  const [exchange, currency, lastPriceAt, lastPrice] = given;
  const ann = somebody();
  const values = { symbol: "BHP", exchange, currency, quantity: "3", lastPrice: "19" };
  const added = z.object({ stock: z.object({ id: z.string() }) }).parse(await ann.action("add-stock", values));
  const split = JSON.stringify({ day: "2026-06-12", numerator: 10, denominator: 1 });
  await env.DB.prepare("UPDATE stocks SET last_price_at = ?2, pending_split = ?3 WHERE owner_email = ?1")
    .bind(ann.email, lastPriceAt, split)
    .run();
  const answer = { id: added.stock.id, split: { day: "2026-06-12", answer: "apply" } };
  expect(await ann.action("update-stock", answer)).toMatchObject({ stock: { quantity: "30", lastPrice } });
});

describe("a price of before a split that is answered", () => {
  const SPLIT_DAY = "2055-01-11";
  const secondsOf = (time: string) => Date.parse(time) / 1_000;
  const told = async (email: string) => {
    await tellTargetHits(env, Date.now());
    return await env.DB.prepare("SELECT count(*) AS n FROM notices WHERE owner_email = ?").bind(email).first("n");
  };

  it("is not copied to the shares after it, and hits no target of theirs", async () => {
    const clock = heldDate(Date.parse("2055-01-08T17:00:00Z"));
    const closes = ["2055-01-05", "2055-01-06", "2055-01-07"].map((day): [string, string] => [day, "189"]);
    const friday = { ...APPLE, price: "190", previousClose: "189", at: secondsOf("2055-01-08T16:45:00Z"), closes };
    const ann = await withPrices({ listings: [friday] }, "eodhd");
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "25", targetHigh: "200" });
    await ann.wake();
    await ann.quietList();
    clock.set(Date.parse("2055-01-11T08:00:00Z"));
    const splits: [string, number, number][] = [[SPLIT_DAY, 10, 1]];
    await ann.room.set({ listings: [{ ...friday, price: "192", at: secondsOf("2055-01-08T21:00:00Z"), splits }] });
    await ann.wake();
    expect(await ann.quietList()).toMatchObject([{ lastPrice: "190", pendingSplit: { day: SPLIT_DAY } }]);
    await ann.act("update-stock", { id, split: { day: SPLIT_DAY, answer: "apply" } });
    await env.DB.prepare("UPDATE stocks SET notify = 1 WHERE id = ?").bind(id).run();
    expect(await ann.quietList()).toMatchObject([{ quantity: "250", lastPrice: "19", marketValue: "4750" }]);
    expect(await told(ann.email)).toBe(0);
    clock.set(Date.parse("2055-01-11T15:00:00Z"));
    const monday = { ...friday, price: "20.1", previousClose: "19.2", at: secondsOf("2055-01-11T14:45:00Z"), splits };
    await ann.room.set({ listings: [monday] });
    await ann.forget();
    await ann.wake();
    expect(await ann.quietList()).toMatchObject([{ quantity: "250", lastPrice: "20.1" }]);
    expect(await told(ann.email)).toBe(1);
  });

  it.each([
    // By the clocks of Sydney and New York: 10:30 of the split's day, and 20:00 of the day before.
    ["XASX", "AUD", SPLIT_DAY, "2055-01-10T23:30:00.000Z", "193", 1],
    ["XNAS", "USD", "2055-01-12", "2055-01-12T01:00:00.000Z", "19", 0],
  ])("is told by its market's own day: %s, %s, split on %s, price of %s", async (...given) => {
    const [exchange, currency, day, time, lastPrice, hits] = given;
    heldDate(Date.parse(time) + 60_000);
    const listing = { ...APPLE, mic: exchange, currency, at: secondsOf(time) - 3 * 86_400 };
    const ann = await withPrices({ listings: [listing] });
    const { id } = await ann.add({ symbol: "AAPL", exchange, currency, targetHigh: "19.2" });
    await ann.wake();
    await ann.quietList();
    const listed = "(SELECT instrument_id FROM stocks WHERE id = ?1)";
    await env.DB.batch([
      env.DB.prepare("UPDATE stocks SET last_price = '19', split_day = ?2, notify = 1 WHERE id = ?1").bind(id, day),
      env.DB.prepare(`INSERT INTO splits VALUES (${listed}, ?2, 10, 1)`).bind(id, day),
      env.DB.prepare(`UPDATE quotes SET price = '193', as_of = ?2 WHERE instrument_id = ${listed}`).bind(id, time),
    ]);
    expect(await ann.quietList()).toMatchObject([{ lastPrice }]);
    expect(await told(ann.email)).toBe(hits);
  });
});
