/** 10,000 stocks in the trash of a person (api.md §1): beyond them nothing new is added, and everything else can be done. */
import { expect, it } from "vitest";
import { copyStock } from "../../support/workerd/copied-stock.ts";
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
