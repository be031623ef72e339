/**
 * After a time, listings that no stock takes prices from any more are deleted with their prices, and others that nobody asks for lose their
 * old closes (decision 0232).
 */
import { env } from "cloudflare:test";
import { it } from "vitest";
import { z } from "zod";
import { runMinute } from "../../../src/account/run-cron.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

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

/** Days in each of the last four years but this one. */
const DAYS = [4, 3, 2, 1].flatMap((ago) =>
  [1, 2, 3, 4, 5].map((day) => `${new Date(AT_MS).getUTCFullYear() - ago}-06-0${day}`),
);

const closesAt = (close: string) => DAYS.map((day): [string, string] => [day, close]);

/** Somebody with a stock whose closes are known, and how its listing is asked for and looked at. */
const withCloses = async () => {
  const ann = await withPrices({ listings: [{ ...APPLE, closes: closesAt("1000") }] });
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  const setAsked = env.DB.prepare("UPDATE instruments SET asked_at_ms = ?2 WHERE scope = ?1");
  return {
    ...ann,
    askedAgo: (days: number) => setAsked.bind(ann.scope, AT_MS - days * DAY_MS).run(),
    points: async () => (await ann.act("get-stock", { id, history: "max" })).history?.points,
    lookAgain: async () => {
      await ann.forgetCloses();
      await ann.wake();
    },
  };
};

it("closes of a listing that nobody has asked for in 30 days go but for two years, and come back with a look", async ({
  expect,
}) => {
  const { askedAgo, points, lookAgain } = await withCloses();
  await askedAgo(29);
  await runMinute(env, AT_MS);
  expect(await points()).toEqual(closesAt("1000"));
  await askedAgo(30);
  await runMinute(env, AT_MS + 60_000);
  expect(await points()).toEqual(closesAt("1000"));
  await runMinute(env, AT_MS);
  expect(await points()).toEqual(closesAt("1000").slice(-10));
  await lookAgain();
  expect(await points()).toEqual(closesAt("1000"));
});

it("a split since then, of which closes alone tell, is found by those that were kept", async ({ expect }) => {
  const { askedAgo, points, lookAgain, room, scope } = await withCloses();
  await askedAgo(30);
  await runMinute(env, AT_MS);
  await room.set({ listings: [{ ...APPLE, closes: closesAt("100") }] });
  await lookAgain();
  expect(await points()).toEqual(closesAt("100"));
  const { results } = await env.DB.prepare(
    "SELECT numerator, denominator FROM splits WHERE instrument_id IN (SELECT id FROM instruments WHERE scope = ?)",
  )
    .bind(scope)
    .all();
  expect(results).toEqual([{ numerator: 10, denominator: 1 }]);
});
