/** A stock's history has no limit: it is read page by page along an index, and deleted in pieces that D1 can bear. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { continueDeletion, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { purgeTrash } from "../../../src/db/deletion/drop-expired.ts";
import { ownedRows } from "../../../src/db/owner-rows.ts";
import { scopeOf } from "../../../src/quotes/find-access.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { rowsOf } from "../../support/workerd/a-full-account.ts";
import { copyStock } from "../../support/workerd/copied-stock.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

nothingDue();

/** More than one pass of an account's deletion takes. */
const LONG = 50_010;

/** Rows that one statement may write, those of the events' three indexes included. */
const MAX_WRITTEN = 20_000;

const DAY_MS = 24 * 3_600_000;

/** A stock with so many events. */
const aStockWith = async (events: number, ann = aPerson(), symbol = "AAPL") => {
  const { id } = await ann.add({ symbol });
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO stock_events (id, owner_email, stock_id, version, action, via, after, at)
       WITH RECURSIVE nth(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM nth WHERE n < ?3)
       SELECT ?2 || n, ?1, ?2, n, 'update', 'screen', '{}', '2026-11-20T10:00:00.000Z' FROM nth WHERE n <= ?3`,
    ).bind(ann.email, id, events),
    env.DB.prepare("UPDATE stocks SET version = ? WHERE id = ?").bind(events, id),
  ]);
  const left = async () =>
    z
      .int()
      .parse(await env.DB.prepare("SELECT count(*) AS n FROM stock_events WHERE stock_id = ?").bind(id).first("n"));
  return { ann, id, owner: OwnerEmail.parse(ann.email), left };
};

const Written = z.object({ meta: z.object({ rows_written: z.int(), changes: z.int() }) });
const Answer = z.union([z.array(Written), Written.transform((one) => [one])]);

/** The most rows that a statement writes from now on, or changes, which leaves out indexes. */
const watchWrites = (which: "rows_written" | "changes" = "rows_written") => {
  const written: number[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", async (_, __, call) => {
    const response = z.instanceof(Response).parse(await call());
    written.push(...Answer.parse(await response.clone().json()).map(({ meta }) => meta[which]));
    return response;
  });
  return () => Math.max(...written);
};

const allOf = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** D1, and the texts of the statements that were prepared. */
const recordingD1 = () => {
  const texts: string[] = [];
  const prepare = (text: string) => {
    texts.push(text);
    return env.DB.prepare(text);
  };
  const DB = new Proxy(env.DB, { get: (db, name) => (name === "prepare" ? prepare : Reflect.get(db, name).bind(db)) });
  return { DB, texts };
};

/** How SQLite does it, one step a line, whatever it is given. */
const planOf = async (text = "") => {
  const plan = env.DB.prepare(`EXPLAIN QUERY PLAN ${text.replaceAll(/\?\d*/g, "'2026'")}`);
  const { results } = await plan.all<{ detail: string }>();
  return results.map(({ detail }) => detail).join("\n");
};

it("an export has each event once, stock by stock, and sorts nothing for a page of it", async () => {
  const { ann, owner, id } = await aStockWith(450);
  const other = await aStockWith(250, ann, "MSFT");
  const { DB, texts } = recordingD1();
  const rows = await allOf(ownedRows(openDb(DB), owner, "stock_events"));
  expect(texts).toHaveLength(4);
  const plans = [await planOf(texts[0]), await planOf(texts[1])].join("\n");
  expect(plans).toContain("stock_events_version");
  expect(plans).not.toContain("TEMP B-TREE");
  const versionsOf = (stock: string) =>
    rows.flatMap(({ stock_id: of, version }) => (of === stock ? [Number(version)] : []));
  expect(rows).toHaveLength(700);
  expect(versionsOf(id)).toEqual(Array.from({ length: 450 }, (_, nth) => nth + 1));
  expect(versionsOf(other.id)).toEqual(Array.from({ length: 250 }, (_, nth) => nth + 1));
});

it("the trash takes a long history away in pieces, and the stock after it", async () => {
  const long = await aStockWith(12_000);
  const short = await aStockWith(1);
  await long.ann.act("delete-stock", { id: long.id });
  await short.ann.act("delete-stock", { id: short.id });
  const most = watchWrites();
  const nowMs = Date.now() + 31 * DAY_MS;
  const lefts: number[] = [];
  for (const db of [openDb(env.DB), openDb(env.DB), openDb(env.DB)]) {
    await purgeTrash(db, nowMs);
    lefts.push(await long.left());
  }
  expect(lefts).toEqual([7_001, 2_001, 0]);
  expect(await short.left()).toBe(0);
  expect(most()).toBeLessThanOrEqual(MAX_WRITTEN);
  expect(await rowsOf(long.ann.email)).not.toHaveProperty("stocks");
  expect(await rowsOf(short.ann.email)).not.toHaveProperty("stocks");
});

it("the pieces of the trash are found by indexes", async () => {
  const { DB, texts } = recordingD1();
  await purgeTrash(openDb(DB), Date.now());
  const plans = await Promise.all(texts.map((text) => planOf(text)));
  expect(plans.join("\n")).toMatch(/stocks_trash[\s\S]*stock_events_stock/);
  expect(plans.join("\n")).not.toMatch(/SCAN stock/);
});

/** Deletes an account, and returns the most rows that one statement deleted. */
const deleteAccount = async (owner: OwnerEmail) => {
  const deletion = { ownerEmail: owner, requestedAtMs: Date.now() - SETTLE_MS };
  await requestDeletion(openDb(env.DB), owner, deletion.requestedAtMs);
  const most = watchWrites("changes");
  expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
  expect(await rowsOf(owner)).toEqual({});
  return most();
};

it("an account's deletion takes fewer events at once that are long", async () => {
  const { ann, id, owner } = await aStockWith(1);
  const events = env.DB.prepare(
    `INSERT INTO stock_events (id, owner_email, stock_id, version, action, via, after, at)
     VALUES (?1, ?2, ?3, ?4, 'update', 'screen', '"' || hex(zeroblob(499999)) || '"', '2026-11-20T10:00:00.000Z')`,
  );
  await env.DB.batch(Array.from({ length: 30 }, (_, nth) => events.bind(`${id}${nth}`, ann.email, id, nth + 2)));
  // 20 MB.
  expect(await deleteAccount(owner)).toBeLessThanOrEqual(21);
});

it("an account's deletion takes a long list away in pieces", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "OLD", notes: "x".repeat(4_000) });
  await ann.act("delete-stock", { id });
  await copyStock(id, 5_000);
  // Each counts as 6 KB.
  expect(await deleteAccount(OwnerEmail.parse(ann.email))).toBeLessThanOrEqual(3_334);
});

it("an account's deletion takes schedules that are done away in pieces", async () => {
  const { owner } = await aStockWith(1);
  await env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < 400)
     INSERT INTO schedules (id, owner_email, thread_id, prompt, once, time_zone, state, last_due_at_ms, claimed_until_ms,
       claimed_at_ms, claims, expired_in_a_row, created_at_ms)
     SELECT ?1 || n, ?1, 't', hex(zeroblob(30000)), '2026-01-01T00:00', 'UTC', 'done', 1, 0, 1, 0, 0, 0 FROM nth`,
  )
    .bind(owner)
    .run();
  // 20 MB of prompts of 60 KB.
  expect(await deleteAccount(owner)).toBeLessThanOrEqual(334);
});

it("an account's deletion takes many notices away in pieces", async () => {
  const { owner } = await aStockWith(1);
  await env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < 5010)
     INSERT INTO notices (id, owner_email, dedup_key, kind, tag, title, url, state, due_at_ms, expires_at_ms, claimed_until_ms,
       attempts, devices, created_at_ms)
     SELECT ?1 || n, ?1, n, 'target', 't', 't', '/', 'dropped', 0, 0, 0, 0, '[]', 0 FROM nth`,
  )
    .bind(owner)
    .run();
  expect(await deleteAccount(owner)).toBeLessThanOrEqual(5_000);
});

/** So many listings of a person's own key, each with a quote and a year of closes of so many bytes. */
const listingsOf = async (owner: OwnerEmail, count: number, bytes: number) => {
  const scope = await scopeOf(env, owner);
  const nth = "WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?2)";
  const insert = (text: string, ...more: number[]) => env.DB.prepare(text).bind(scope, count, ...more);
  await env.DB.batch([
    insert(
      `INSERT INTO instruments (id, scope, source, symbol, currency, name, asked_at_ms)
       ${nth} SELECT ?1 || n, ?1, 'eodhd', 'S' || n, 'USD', 'S', 0 FROM nth`,
    ),
    insert(`INSERT INTO quotes (instrument_id, mark, fetched_at_ms) ${nth} SELECT ?1 || n, '{}', 0 FROM nth`),
    insert(
      `INSERT INTO closes (instrument_id, year, closes) ${nth} SELECT ?1 || n, 2026, '"' || hex(zeroblob(?3)) || '"' FROM nth`,
      Math.ceil(bytes / 2),
    ),
  ]);
  return async () =>
    z.int().parse(await env.DB.prepare("SELECT count(*) AS n FROM instruments WHERE scope = ?").bind(scope).first("n"));
};

it("an account's deletion takes closes that are long before their listings, with which their quotes go", async () => {
  const owner = OwnerEmail.parse(aPerson().email);
  const left = await listingsOf(owner, 12, 1_900_000);
  expect(await deleteAccount(owner)).toBeLessThanOrEqual(24);
  expect(await left()).toBe(0);
});

it("an account's deletion takes many listings away in pieces, over several passes", async () => {
  const owner = OwnerEmail.parse(aPerson().email);
  const left = await listingsOf(owner, 20_010, 0);
  const deletion = { ownerEmail: owner, requestedAtMs: Date.now() - SETTLE_MS };
  await requestDeletion(openDb(env.DB), owner, deletion.requestedAtMs);
  const most = watchWrites();
  expect(await continueDeletion(env, deletion, Date.now())).toBe(false);
  // Five pieces were of closes.
  expect(await left()).toBe(10_010);
  expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
  expect(await left()).toBe(0);
  expect(most()).toBeLessThanOrEqual(MAX_WRITTEN);
});

it("an account's deletion takes a long history away in pieces, over several passes", async () => {
  const { owner, left } = await aStockWith(LONG);
  const deletion = { ownerEmail: owner, requestedAtMs: Date.now() - SETTLE_MS };
  await requestDeletion(openDb(env.DB), owner, deletion.requestedAtMs);
  const most = watchWrites();
  expect(await continueDeletion(env, deletion, Date.now())).toBe(false);
  expect(await left()).toBe(10);
  expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
  expect(most()).toBeLessThanOrEqual(MAX_WRITTEN);
  expect(await rowsOf(owner)).toEqual({});
});
