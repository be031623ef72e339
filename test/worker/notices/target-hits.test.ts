/** When a target that was hit is told: from a price of the source, once, and again after the price was 1 % on the other side. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { runMinute } from "../../../src/account/run-cron.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { findHitCandidates } from "../../../src/db/notices/target-hits.ts";
import { copyStock } from "../../support/workerd/copied-stock.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { HIGH, LOW, titles, withApple } from "../../support/workerd/told-targets.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

nothingDue();

const DAY_MS = 24 * 3_600_000;

describe("a target that is hit", () => {
  it.each([
    ["low", { targetLow: "190.5" }, LOW],
    ["high", { targetHigh: "190.5" }, HIGH],
  ] as const)("is told once, and changes no version: %s", async (side, targets, title) => {
    const ann = await withApple(targets);
    expect(ann.stock).toMatchObject({ notify: true, lastAlert: null, version: 2 });
    await ann.cron();
    await ann.cron();
    expect(await ann.told()).toEqual([
      { title, url: `/stocks?dialog=detail&id=${ann.id}`, tag: `target-${ann.id}-${side}` },
    ]);
    const stock = await ann.now();
    expect(stock).toMatchObject({ version: 2, updatedAt: ann.stock.updatedAt, lastAlert: { side, price: "190.5" } });
    expect(await ann.list()).toMatchObject([{ notify: true, lastAlert: stock.lastAlert }]);
  });

  it("is told by the cron of each minute", async () => {
    const ann = await withApple({ targetLow: "195" });
    await runMinute(env, Date.now());
    expect(titles(await ann.told())).toEqual([LOW]);
  });

  it("is told once by crons that run at the same time", async () => {
    const ann = await withApple({ targetLow: "195" });
    await Promise.all([ann.cron(), ann.cron(), ann.cron()]);
    expect(titles(await ann.told())).toEqual([LOW]);
  });

  it.each([
    ["low", { targetLow: "200" }, ["200.1", "190", "201.999", "190"], "202", "200", LOW],
    ["high", { targetHigh: "100" }, ["99.9", "110", "99.001", "110"], "99", "100", HIGH],
  ] as const)("is told again only after 1 %% on the other side: %s", async (_, targets, swings, back, hit, title) => {
    const ann = await withApple(targets);
    await ann.cron();
    for (const price of swings) {
      await ann.quote("price", price);
      await ann.cron();
    }
    expect(titles(await ann.told())).toEqual([title]);
    await ann.quote("price", back);
    await ann.cron();
    expect(titles(await ann.told())).toEqual([title]);
    await ann.quote("price", hit);
    await ann.cron();
    await ann.cron();
    expect(titles(await ann.told())).toEqual([title, title]);
    expect(await ann.now()).toMatchObject({ lastAlert: { price: hit } });
  });

  it("is another one with another target, or on the other side", async () => {
    const ann = await withApple({ targetLow: "195", targetHigh: "300" });
    await ann.cron();
    await ann.act("update-stock", { id: ann.id, set: { targetLow: "192", notes: "lower" } });
    await ann.cron();
    await ann.cron();
    await ann.quote("price", "300.00");
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW, LOW, HIGH]);
  });

  it("is another one when it is a former one set again", async () => {
    const ann = await withApple({ targetLow: "195" });
    const set = (targetLow: string | null) => ann.act("update-stock", { id: ann.id, set: { targetLow } });
    await ann.cron();
    await set("100");
    await ann.cron();
    await set("195");
    await ann.cron();
    await set(null);
    await ann.act("update-stock", { id: ann.id, set: { targetLow: "195", notify: true } });
    await ann.cron();
    await ann.act("update-stock", { id: ann.id, set: { notes: "The same target" } });
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW, LOW, LOW]);
  });

  it("is another one in another currency, and the same one when a split scales it or is taken back", async () => {
    const ann = await withApple({ targetLow: "195" });
    const split = { day: "2026-06-10", numerator: 2, denominator: 1 };
    await ann.cron();
    await env.DB.prepare("UPDATE stocks SET pending_split = ? WHERE id = ?").bind(JSON.stringify(split), ann.id).run();
    const answer = (given: "apply" | "undo") =>
      ann.act("update-stock", { id: ann.id, split: { day: split.day, answer: given } });
    expect((await answer("apply")).stock).toMatchObject({ targetLow: "97.5" });
    await ann.quote("price", "95");
    await ann.cron();
    await answer("undo");
    await answer("apply");
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW]);
    const find = env.DB.prepare("SELECT instrument_id FROM stocks WHERE id = ?").bind(ann.id);
    const listing = await find.first("instrument_id");
    await ann.act("update-stock", { id: ann.id, set: { currency: "CAD" } });
    // Its listing is another one now, which happens to have the same price.
    await env.DB.batch([
      env.DB.prepare("UPDATE instruments SET currency = 'CAD' WHERE id = ?").bind(listing),
      env.DB.prepare("UPDATE stocks SET instrument_id = ? WHERE id = ?").bind(listing, ann.id),
    ]);
    await ann.quote("as_of", new Date().toISOString());
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW, LOW]);
  });

  it.each([
    ["its listing chosen again", { instrument: { symbol: "AAPL", exchange: "XNAS" } }],
    ["the source's prices taken again", { autoPrice: true }],
  ])("is another one when it is given while a split waits, with %s", async (_, change) => {
    const ann = await withApple({ targetLow: "195" });
    await ann.cron();
    const split = JSON.stringify({ day: "2999-06-10", numerator: 2, denominator: 1 });
    await env.DB.prepare("UPDATE stocks SET auto_price = 0, pending_split = ? WHERE id = ?").bind(split, ann.id).run();
    const { stock } = await ann.act("update-stock", { id: ann.id, set: { ...change, targetLow: "192" } });
    expect(stock).toMatchObject({ targetLow: "192", autoPrice: true, pendingSplit: null });
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW, LOW]);
  });

  it("stays told through a change that was prepared before it was told", async () => {
    const ann = await withApple({ targetLow: "195" });
    await Promise.all([ann.cron(), ann.act("update-stock", { id: ann.id, set: { notes: "mine" } })]);
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW]);
    expect(await ann.now()).toMatchObject({ notes: "mine", lastAlert: { side: "low" } });
  });
});

it("one person's many hits do not keep another's from being told the same minute", async () => {
  const [ann, bob] = [await withApple({ targetLow: "195" }), await withApple({ targetLow: "195" })];
  await copyStock(ann.id, 2_500);
  await bob.cron();
  await env.DB.prepare("UPDATE stocks SET notify = 0 WHERE owner_email = ?").bind(ann.email).run();
  expect(titles(await bob.told())).toEqual([LOW]);
  expect((await ann.told()).length).toBeGreaterThan(300);
});

describe("nothing is told", () => {
  type World = Awaited<ReturnType<typeof withApple>>;
  const instrumentOf = "(SELECT instrument_id FROM stocks WHERE id = ?)";
  const mark = (isHeld: boolean, session: string) => JSON.stringify({ kind: "trade", session, closedOn: null, isHeld });

  const CASES: readonly (readonly [string, (ann: World) => Promise<unknown>])[] = [
    ["of a price that is held back", (ann) => ann.quote("mark", mark(true, "9999-12-31"))],
    ["of a stale price", (ann) => ann.quote("mark", mark(false, "2020-01-01"))],
    ["of a price of long ago", (ann) => ann.quote("as_of", "2020-01-01T00:00:00.000Z")],
    [
      "while the source's prices are not used",
      (ann) => ann.act("update-stock", { id: ann.id, set: { autoPrice: false } }),
    ],
    ["of a price that was typed in", (ann) => ann.act("update-stock", { id: ann.id, set: { lastPrice: "10" } })],
    [
      "of a price that was typed in before the source had one",
      ({ id }) =>
        env.DB.prepare("UPDATE stocks SET quote_mark = NULL, last_price_at = '2999-01-01T00:00:00.000Z' WHERE id = ?")
          .bind(id)
          .run(),
    ],
    [
      "while a split waits",
      ({ id }) =>
        env.DB.prepare(
          `UPDATE stocks SET pending_split = '{"day":"2026-06-10","numerator":10,"denominator":1}' WHERE id = ?`,
        )
          .bind(id)
          .run(),
    ],
    [
      "after a split that no list has shown yet",
      ({ id }) => env.DB.prepare(`INSERT INTO splits VALUES (${instrumentOf}, '2999-01-01', 10, 1)`).bind(id).run(),
    ],
    ["when it is switched off", (ann) => ann.act("update-stock", { id: ann.id, set: { notify: false } })],
    ["of a stock in the trash", (ann) => ann.act("delete-stock", { ids: [ann.id] })],
    [
      "of an account that is being deleted",
      (ann) => requestDeletion(openDb(env.DB), OwnerEmail.parse(ann.email), Date.now()),
    ],
  ];

  it("of stale prices, nor are they looked at", async () => {
    const ann = await withApple({ targetLow: "195" });
    const found = async () =>
      (await findHitCandidates(openDb(env.DB), Date.now())).filter(({ ownerEmail }) => ownerEmail === ann.email).length;
    expect(await found()).toBe(1);
    await ann.quote("as_of", new Date(Date.now() - 11 * DAY_MS).toISOString());
    expect(await found()).toBe(0);
    await ann.quote("as_of", new Date(Date.now() - 7 * DAY_MS).toISOString());
    expect(await found()).toBe(1);
    await ann.quote("mark", mark(false, new Date(Date.now() - 7 * DAY_MS).toISOString().slice(0, 10)));
    expect(await found()).toBe(0);
  });

  it.each(CASES)("%s", async (_, change) => {
    const ann = await withApple({ targetLow: "195" });
    await change(ann);
    await ann.cron();
    expect(await ann.told()).toEqual([]);
  });

  it("of a price that is short of the target by less than a floating-point number can tell", async () => {
    const ann = await withApple({ targetLow: "123456789012" });
    await ann.quote("price", "123456789012.0000000001");
    await ann.cron();
    expect(await ann.told()).toEqual([]);
    await ann.quote("price", "123456789012");
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW]);
  });
});

describe("notify", () => {
  it("tells the target of a stock that is added anew from the trash, and not that of one that is restored", async () => {
    const ann = await withApple({ targetLow: "195" });
    await ann.cron();
    await ann.act("delete-stock", { id: ann.id });
    await ann.act("update-stock", { id: ann.id, restore: true });
    await ann.cron();
    expect(await ann.now()).toMatchObject({ notify: true, lastAlert: { side: "low" } });
    await ann.act("delete-stock", { id: ann.id });
    await ann.add({ symbol: "AAPL", exchange: "XNAS", targetLow: "195" });
    expect(await ann.now()).toMatchObject({ notify: false, lastAlert: null });
    await ann.wake();
    await ann.act("update-stock", { id: ann.id, set: { notify: true } });
    await ann.cron();
    expect(titles(await ann.told())).toEqual([LOW, LOW]);
  });

  it("is off for a new stock, and needs a target", async () => {
    const ann = await withPrices();
    const { id, notify } = await ann.add({ symbol: "AAPL", exchange: "XNAS", targetLow: "1" });
    expect(notify).toBe(false);
    const refusal = { status: 400, body: { error: "notify: needs a target. Set targetLow or targetHigh." } };
    expect(await ann.post("update-stock", { id, set: { notify: true, targetLow: null } })).toEqual(refusal);
    const { stock } = await ann.act("update-stock", { id, set: { notify: true, targetLow: null, targetHigh: "9" } });
    expect(stock).toMatchObject({ notify: true, targetLow: null, targetHigh: "9" });
  });

  it("goes off with the last target, which the history says", async () => {
    const ann = await withApple({ targetLow: "1", targetHigh: "900" });
    expect((await ann.act("update-stock", { id: ann.id, set: { targetLow: null } })).stock.notify).toBe(true);
    expect((await ann.act("update-stock", { id: ann.id, set: { targetHigh: null } })).stock.notify).toBe(false);
    const { events } = await ann.act("get-stock", { id: ann.id });
    expect(events[0]).toMatchObject({ before: { notify: true }, after: { notify: false, targetHigh: null } });
  });
});
