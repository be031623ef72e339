/** Listings that no stock takes prices from any more are deleted, with their prices, after a time (decision 0232). */
import { env } from "cloudflare:test";
import { it } from "vitest";
import { z } from "zod";
import { runMinute } from "../../../src/account/run-cron.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const DAY_MS = 24 * 3_600_000;

const Ids = z.array(z.object({ id: z.string() }));

/** A minute in which listings are looked at: the first of the next hour. */
const AT_MS = Math.ceil(Date.now() / 3_600_000) * 3_600_000;

/** A listing that was asked for so many days ago, with a price, two years of closes and a split. */
const addListing = async (id: string, days: number | undefined) => {
  const askedAtMs = days === undefined ? 0 : AT_MS - days * DAY_MS;
  const insert = (sql: string) => env.DB.prepare(`INSERT INTO ${sql}`);
  await env.DB.batch([
    insert("instruments VALUES (?1, 'unused', 'twelvedata', ?1, 'XNAS', 'USD', 'A', NULL, ?2)").bind(id, askedAtMs),
    insert("quotes VALUES (?, '1', NULL, '2026-01-01', '{}', NULL, 1)").bind(id),
    insert("closes VALUES (?1, 2025, '[]'), (?1, 2026, '[]')").bind(id),
    insert("splits VALUES (?, '2026-01-01', 2, 1)").bind(id),
  ]);
};

const left = async (table: string, column: string) => {
  const { results } = await env.DB.prepare(
    `SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} GLOB 'listing-*' ORDER BY 1`,
  ).all();
  return Ids.parse(results).map(({ id }) => id);
};

/** Somebody with a stock that takes its price from a listing, in the list or in the trash. */
const addStock = async (listing: string, deletedAt: string | null) => {
  const { email, action } = somebody();
  await action("add-stock", { symbol: "AAPL" });
  await env.DB.prepare("UPDATE stocks SET instrument_id = ?2, deleted_at = ?3 WHERE owner_email = ?1")
    .bind(email, listing, deletedAt)
    .run();
};

it("those that nothing has used for 30 days go, with all that is known of their prices", async ({ expect }) => {
  await addListing("listing-old", 30);
  await addListing("listing-never-asked", undefined);
  await addListing("listing-new", 29);
  await addListing("listing-in-list", 90);
  await addListing("listing-in-trash", 90);
  await addStock("listing-in-list", null);
  await addStock("listing-in-trash", new Date(AT_MS).toISOString());
  await runMinute(env, AT_MS + 60_000);
  expect(await left("instruments", "id")).toHaveLength(5);
  await runMinute(env, AT_MS);
  const kept = ["listing-in-list", "listing-in-trash", "listing-new"];
  expect(await left("instruments", "id")).toEqual(kept);
  for (const table of ["quotes", "closes", "splits"]) expect(await left(table, "instrument_id")).toEqual(kept);
});
