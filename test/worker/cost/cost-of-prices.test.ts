/** What the prices of a person's stocks cost in a day, counted, and held to the table in ARCHITECTURE.md. */
import { env, runInDurableObject } from "cloudflare:test";
import { it } from "vitest";
import architecture from "../../../ARCHITECTURE.md?raw";
import { tellTargetHits } from "../../../src/notice/tell-target-hits.ts";
import { wakeForTargets } from "../../../src/quotes/wake-targets.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { startMeter } from "./cost-meter.ts";
import { inDollars, priceCostOf, readPriceCosts } from "./price-costs.ts";

/** Stocks of the person, and those of them with a target that is told of. */
const STOCKS = 30;
const TARGETS = 5;

/** Listings in a batch, of which a key may ask one a minute. */
const BATCH = 8;

const HOUR_MS = 3_600_000;

const TABLE = readPriceCosts(architecture);

const SYMBOLS = Array.from({ length: STOCKS }, (_, nth) => `S${nth}`);

/** The minute of the hour in which a scope's object is woken for its targets. */
const turnOf = (scope: string): number => Math.floor((Number.parseInt(scope.slice(0, 2), 16) * 60) / 256);

const worldAt = (minute: number) =>
  SYMBOLS.map((symbol) => ({ ...APPLE, symbol, price: `${190 + minute}`, at: APPLE.at + 60 * minute }));

it("thirty stocks of a person cost no more in a day than the table says", async ({ expect }) => {
  // No alarm rings by itself, and no look at the list comes so long after the last one that it wakes the object again.
  heldClock(Date.now() + HOUR_MS);
  const ann = await withPrices({ listings: worldAt(0) });
  await ann.addSeveral({
    items: SYMBOLS.map((symbol) => ({ symbol, exchange: "XNAS", quantity: "1", targetLow: "1" })),
  });
  /** All prices once: in as many minutes as the key needs, the last of which has its alarm. */
  const round = async () => {
    await ann.forget();
    for (let batch = 0; batch < Math.ceil(STOCKS / BATCH); batch += 1) {
      await runInDurableObject(ann.object, (_, { storage }) => storage.kv.delete("budget"));
      await ann.wake();
    }
  };
  await round();
  await ann.list();
  const { results: linked } = await env.DB.prepare(
    "SELECT i.id, i.scope FROM instruments AS i JOIN stocks ON instrument_id = i.id WHERE owner_email = ?",
  )
    .bind(ann.email)
    .all<{ id: string; scope: string }>();
  const ids = [ann.email, ...new Set(linked.flatMap(({ id, scope }) => [id, scope]))];
  const meter = await startMeter();
  let stored = 0;
  await runInDurableObject(ann.object, (_, { storage }) => {
    const own = storage.kv;
    for (const name of ["put", "delete"]) {
      aroundMethod(Object.getPrototypeOf(own), name, (kv, _args, call) => {
        if (kv === own) stored += 1;
        return call();
      });
    }
  });
  /** What D1 was asked by what runs meanwhile. */
  const costOf = async (names: readonly string[], work: () => Promise<unknown>) => {
    const before = await meter.d1(names);
    await work();
    const after = await meter.d1(names);
    return { read: after.rowsRead - before.rowsRead, written: after.rowsWritten - before.rowsWritten };
  };
  // Half an hour from the minute that wakes her object, which would be counted as well.
  const othersTurnMs = (turnOf(ann.scope) + 30) * 60_000;
  const cron = () =>
    costOf(["s.notify = 1"], async () => {
      await tellTargetHits(env, Date.now());
      await wakeForTargets(env, othersTurnMs);
    });

  const cronWithout = await cron();
  await env.DB.prepare(
    "UPDATE stocks SET notify = 1 WHERE id IN (SELECT id FROM stocks WHERE owner_email = ? ORDER BY id LIMIT ?)",
  )
    .bind(ann.email, TARGETS)
    .run();
  const cronWith = await cron();
  await ann.room.set({ listings: worldAt(1) });
  stored = 0;
  const fetched = await costOf(ids, round);
  const list = await costOf(ids, () => ann.list());
  const quiet = await costOf(ids, () => ann.list());
  const [first] = await ann.list();

  const counts = {
    roundRowsRead: fetched.read,
    roundRowsWritten: fetched.written,
    // Each batch with its alarm; deleting the budget is the test's.
    roundStored: stored,
    roundRequests: 2 * Math.ceil(STOCKS / BATCH),
    listRowsRead: list.read,
    listRowsWritten: list.written,
    quietRowsRead: quiet.read,
    cronRowsRead: cronWith.read - cronWithout.read,
  };
  expect(first?.lastPrice).toBe("191");
  const over = TABLE.rows.flatMap(({ name, atMost }) => {
    const count = Object.entries(counts).find(([one]) => one === name)?.[1] ?? Number.POSITIVE_INFINITY;
    return count > atMost ? [`${name}: ${count}, at most ${atMost}`] : [];
  });
  expect(over).toEqual([]);
  expect(TABLE.rows.map(({ name }) => name).sort()).toEqual(Object.keys(counts).sort());
});

it("costs the dollars that the table says", ({ expect }) => {
  expect(TABLE.rows.filter((row) => row.dollars !== priceCostOf(row))).toEqual([]);
  expect(TABLE.sum).toBe(inDollars(TABLE.rows.reduce((sum, { dollars }) => sum + dollars, 0)));
});
