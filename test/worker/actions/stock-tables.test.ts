/** The tables refuse what the contract refuses, should a rule above them ever fail. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";

it.each([
  "quantity = '1e3'",
  "quantity = '-1'",
  "avg_cost = '5'",
  "target_low = '0'",
  "target_low = '6', target_high = '5'",
  "last_price = '5'",
  "last_price = '5', last_price_at = '2026-11-20', last_price_source = 'manual'",
  "watched = 2",
  "watched = 'yes'",
  "status = 'sold'",
  "asset_type = 'bond'",
  "tags = 'x'",
  "version = 0",
  "version = 1.5",
  "name = ''",
  "notes = ''",
  "exchange = 'NASDAQ'",
  "updated_via = 'eve'",
  "symbol = NULL",
  "created_at = 1763640000000",
  "deleted_at = 'now'",
])("a row with %s is refused", async (assignment) => {
  const { id } = await aPerson().add({ symbol: "AAPL" });
  const update = env.DB.prepare(`UPDATE stocks SET ${assignment} WHERE id = ?`).bind(id).run();
  await expect(update).rejects.toThrow(/constraint failed|cannot store/);
});

it("a stock takes its history with it when it is purged", async () => {
  const { id } = await aPerson().add({ symbol: "AAPL" });
  await env.DB.prepare("DELETE FROM stocks WHERE id = ?").bind(id).run();
  const events = await env.DB.prepare("SELECT count(*) AS count FROM stock_events WHERE stock_id = ?").bind(id).first();
  expect(events).toEqual({ count: 0 });
});
