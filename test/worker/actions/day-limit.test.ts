/** The history of stocks lies in a database that everybody shares: how much of it one person's changes may take in a day (api.md §1). */
import { env } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { addStock } from "../../../src/actions/add-stock.ts";
import { type ActionContext, parseInput } from "../../../src/actions/define-action.ts";
import { updateStock } from "../../../src/actions/update-stock.ts";
import { actionPath } from "../../../src/contract/action-path.ts";
import { DAY_MS, dayOf } from "../../../src/contract/day.ts";
import { createIdSource, OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { dropExpired } from "../../../src/db/deletion/drop-expired.ts";
import { countedOf, DAY_LIMIT, leaveBytes } from "../../support/workerd/day-changes.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { aPerson, type Person } from "../../support/workerd/stocks-client.ts";

// No midnight comes between what is counted and what is refused.
beforeEach(() => void heldClock(Date.now() + 3_600_000));

/** Notes of 12,000 bytes. */
const LONG = "株".repeat(4_000);

const REFUSED = {
  status: 429,
  body: {
    error: "Today's changes come to 100 MB, the limit. It starts again at midnight UTC. Try again later.",
  },
};

/** The world of a call of the agent, at a time. */
const agentOf = (person: Person, replayKey: string, nowMs = Date.now()): ActionContext => ({
  db: openDb(env.DB),
  caller: { ownerEmail: OwnerEmail.parse(person.email), orgId: null },
  via: "agent",
  replayKey,
  prices: NO_PRICES,
  nowMs: () => nowMs,
  newId: createIdSource(Date.now),
});

const addition = (input: unknown) => parseInput(addStock.agentInput ?? addStock.input, input);

const Stored = z.object({ events: z.int(), bytes: z.int() });

/** What the person's history holds of values, in bytes, and in how many events. */
const storedOf = async (email: string) =>
  Stored.parse(
    await env.DB.prepare(
      `SELECT count(*) AS events, total(coalesce(octet_length(before), 0) + octet_length(after)) AS bytes
       FROM stock_events WHERE owner_email = ?`,
    )
      .bind(email)
      .first(),
  );

it("what changes store is counted, and what is refused or repeated is not", async () => {
  const ann = aPerson();
  const items = Array.from({ length: 20 }, (_, nth) => ({ symbol: `S${nth}`, notes: LONG }));
  const first = { items, idempotencyKey: "first" };
  await ann.addSeveral(first);
  await ann.addSeveral(first);
  await ann.addSeveral({ items: items.map(({ symbol }) => ({ symbol, notes: "n" })), onConflict: "update" });
  expect((await ann.post("add-stock", { symbol: "S0" })).status).toBe(409);
  const [{ bytes }, stored] = [await countedOf(ann.email), await storedOf(ann.email)];
  expect(stored.events).toBe(40);
  // The rest: 500 bytes for the row of each event.
  expect(bytes - stored.bytes).toBeGreaterThanOrEqual(40 * 500);
  expect(bytes - stored.bytes).toBeLessThan(40 * 600);
});

it("a short answer under a key counts, also where nothing is changed; one of the agent's calls does not", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL", notes: "n".repeat(1_000) });
  const { bytes } = await countedOf(ann.email);
  const same = { id, set: { symbol: "AAPL" } };
  await updateStock.run(agentOf(ann, "run:1:1-0"), same);
  expect((await countedOf(ann.email)).bytes).toBe(bytes);
  const known = await ann.post("update-stock", { ...same, idempotencyKey: "known" });
  expect((await countedOf(ann.email)).bytes - bytes).toBeGreaterThan(1_500);
  await leaveBytes(ann.email, 1_000);
  expect(await ann.post("update-stock", { ...same, idempotencyKey: "new" })).toEqual(REFUSED);
  expect(await ann.post("update-stock", { ...same, idempotencyKey: "known" })).toEqual(known);
  expect((await ann.post("update-stock", same)).status).toBe(200);
});

it("so does the answer of a schedule that is created or deleted", async () => {
  const ann = aPerson();
  const yearly = { prompt: "Look.", cron: "0 0 1 1 *", timeZone: "UTC" };
  const { schedule } = await ann.act("create-schedule", { ...yearly, idempotencyKey: "first" });
  expect((await countedOf(ann.email)).bytes).toBeGreaterThan(500);
  await leaveBytes(ann.email, 100);
  expect(await ann.post("create-schedule", { ...yearly, idempotencyKey: "second" })).toEqual(REFUSED);
  expect(await ann.post("delete-schedule", { id: schedule.id, idempotencyKey: "third" })).toEqual(REFUSED);
  expect((await ann.act("list-schedules", {})).schedules).toEqual([schedule]);
  expect((await ann.post("delete-schedule", { id: schedule.id })).status).toBe(200);
});

it("beyond the limit nothing is changed, until midnight UTC", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  const kept = await ann.add({ symbol: "KEPT" });
  const known = { id, set: { name: "Apple" }, idempotencyKey: "known" };
  const answer = await ann.post("update-stock", known);
  await leaveBytes(ann.email, 10_000);
  const response = await fetchAs(ann.email, actionPath("update-stock"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id, set: { notes: LONG } }),
  });
  expect([response.status, await response.json()]).toEqual([REFUSED.status, REFUSED.body]);
  const waitMs = Number(response.headers.get("Retry-After")) * 1_000;
  expect(dayOf(Date.now() + waitMs + 1_000)).toBe(dayOf(Date.now() + DAY_MS));
  const items = [{ symbol: "MSFT" }, { symbol: "AAPL", notes: LONG }];
  expect(await ann.post("add-stock", { items, onConflict: "update", idempotencyKey: "new" })).toEqual(REFUSED);
  expect((await ann.act("list-stocks", {})).total).toBe(2);
  expect((await ann.act("get-stock", { id })).stock).toMatchObject({ version: 2, notes: null });
  // What has its answer gets it, what is wrong is told first, what is short still fits, and deleting is never refused.
  expect(await ann.post("update-stock", known)).toEqual(answer);
  expect((await ann.post("add-stock", { symbol: "AAPL", notes: LONG })).status).toBe(409);
  expect((await ann.act("update-stock", { id, set: { notes: "n" } })).stock.version).toBe(3);
  await leaveBytes(ann.email, 0);
  await ann.act("delete-stock", { ids: [id, kept.id] });
  expect((await countedOf(ann.email)).bytes).toBeGreaterThan(DAY_LIMIT);
  expect(await ann.post("update-stock", { id, restore: true })).toEqual(REFUSED);
  expect(await ann.post("add-stock", { symbol: "KEPT" })).toEqual(REFUSED);
  expect((await ann.act("list-stocks", { deleted: true })).total).toBe(2);
});

it("the agent's call is refused like the screen's, and the next day begins at zero", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  await leaveBytes(ann.email, 100);
  const refusal = expect.objectContaining({ status: 429, message: REFUSED.body.error });
  const today = agentOf(ann, "run:1:1-0");
  await expect(updateStock.run(today, { id, set: { notes: "n" } })).rejects.toEqual(refusal);
  await expect(addStock.run(today, addition({ symbol: "MSFT" }))).rejects.toEqual(refusal);
  const tomorrowMs = Date.now() + DAY_MS;
  const { stock } = await updateStock.run(agentOf(ann, "run:1:1-0", tomorrowMs), { id, set: { notes: "n" } });
  expect(stock.version).toBe(2);
  const begun = await countedOf(ann.email);
  expect([begun.day, begun.bytes < 1_000]).toEqual([dayOf(tomorrowMs), true]);
  // A Worker whose clock is behind does not begin the former day again.
  await addStock.run(agentOf(ann, "run:1:1-1"), addition({ symbol: "MSFT" }));
  const { day, bytes } = await countedOf(ann.email);
  expect([day, bytes > begun.bytes]).toEqual([begun.day, true]);
});

it("requests at the same instant do not pass the limit together", async () => {
  const ann = aPerson();
  await ann.add({ symbol: "AAPL" });
  await leaveBytes(ann.email, 3 * 14_000);
  const symbols = ["A", "B", "C", "D", "E", "F"];
  const answers = await Promise.all(symbols.map((symbol) => ann.post("add-stock", { symbol, notes: LONG })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
  expect((await ann.act("list-stocks", {})).total).toBe(4);
  expect((await countedOf(ann.email)).bytes).toBeLessThanOrEqual(DAY_LIMIT);
});

it("a listing is not stored for a change that is refused", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  await leaveBytes(ann.email, 100);
  let saved = 0;
  const instrument = { source: "twelvedata", symbol: "AAPL", exchange: "XNAS", name: "Apple" } as const;
  const save = async () => {
    saved += 1;
  };
  const link = async () => ({ instrumentId: "1", instrument, day: "2026-11-20", save });
  const agent = { ...agentOf(ann, "run:1:1-0"), prices: { ...NO_PRICES, link } };
  const set = { instrument: { symbol: "AAPL", exchange: "XNAS" } };
  await expect(updateStock.run(agent, { id, set })).rejects.toMatchObject({ status: 429 });
  expect(saved).toBe(0);
});

it("what a day has counted is deleted once no clock counts into it, whether or not there still is an account", async () => {
  const hourMs = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  const dayAgo = (days: number) => dayOf(hourMs - days * DAY_MS);
  const insert = env.DB.prepare("INSERT INTO day_changes (owner_email, day, bytes) VALUES (?, ?, 1)");
  await env.DB.batch([0, 1, 2].map((days) => insert.bind(`gone-${days}@example.com`, dayAgo(days))));
  const left = async () =>
    (await env.DB.prepare("SELECT day FROM day_changes WHERE owner_email GLOB 'gone-*' ORDER BY day").all()).results;
  // The table has no index by day, so it is read once an hour.
  await dropExpired(openDb(env.DB), hourMs + 60_000);
  expect(await left()).toHaveLength(3);
  await dropExpired(openDb(env.DB), hourMs);
  expect(await left()).toEqual([{ day: dayAgo(1) }, { day: dayAgo(0) }]);
});
