/** 10,000 stocks in the trash of a person (api.md §1): beyond them nothing new is added, and everything else can be done. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { copyStock } from "../../support/workerd/copied-stock.ts";
import { MAX_TEXT_BYTES, watchTexts } from "../../support/workerd/longest-text.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const LIMIT = 10_000;

it("a new stock is refused while the trash is full; deleting, restoring and changing go on", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "OLD" });
  const kept = await ann.add({ symbol: "KEPT" });
  await ann.act("delete-stock", { id });
  await copyStock(id, LIMIT - 2);
  expect((await ann.act("list-stocks", { deleted: true, limit: 1 })).total).toBe(LIMIT - 1);
  await ann.add({ symbol: "LAST" });
  expect((await ann.act("delete-stock", { id: kept.id })).deleted).toEqual([kept.id]);

  const error =
    "Your trash has 10,000 stocks, the limit. Restore some, or try again later: each leaves 30 days after its deletion.";
  expect(await ann.post("add-stock", { symbol: "NEW" })).toEqual({ status: 409, body: { error } });
  const items = [{ symbol: "NEW" }, { symbol: "OLD" }, { symbol: "LAST", notes: "n" }];
  expect(await ann.addSeveral({ items, onConflict: "update" })).toMatchObject([
    { outcome: "conflict", error },
    { outcome: "restored" },
    { outcome: "updated" },
  ]);
  // One place is free again.
  await ann.add({ symbol: "NEW" });
});

it("a full trash of holdings with the longest amounts is listed, with its totals", async () => {
  const bob = aPerson();
  const most = "999999999999.9999999999";
  const { id } = await bob.add({ symbol: "LONG", quantity: most, avgCost: most, lastPrice: "888888888888.8888888888" });
  await bob.act("delete-stock", { id });
  const mark = { kind: "day", session: "2026-11-20", closedOn: null, isHeld: false };
  await env.DB.prepare("UPDATE stocks SET quote_mark = ? WHERE id = ?").bind(JSON.stringify(mark), id).run();
  await copyStock(id, LIMIT - 1);
  const longest = watchTexts();
  const { total, totals } = await bob.act("list-stocks", { deleted: true, limit: 1 });
  expect(total).toBe(LIMIT);
  expect(totals).toEqual([
    {
      currency: "USD",
      cost: "9999999999999999999998000000.0000000000000001",
      value: "8888888888888888888887111111.1111111111111112",
      gain: "-1111111111111111111110888888.8888888888888889",
    },
  ]);
  expect(longest()).toBeLessThan(MAX_TEXT_BYTES);
});
