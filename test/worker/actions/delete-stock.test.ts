/** `delete-stock` through the front door: the trash, idempotence, several at once (api.md §5). */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { openDb } from "../../../src/db/db.ts";
import { purgeTrash } from "../../../src/db/deletion/drop-expired.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

nothingDue();

const NOT_FOUND = { status: 404, body: { error: "Stock not found." } };
const UNKNOWN = "01234567-89ab-7000-8000-000000000000";

it("a deleted stock is in the trash and nowhere else", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  expect(await ann.act("delete-stock", { id })).toEqual({ deleted: [id] });
  expect(await ann.post("get-stock", { id })).toEqual(NOT_FOUND);
  expect(await ann.post("get-stock", { symbol: "AAPL" })).toEqual(NOT_FOUND);
  expect((await ann.act("list-stocks", {})).total).toBe(0);
  expect((await ann.act("list-stocks", { deleted: true })).items).toMatchObject([
    { id, version: 2, deletedAt: expect.stringMatching(/Z$/) },
  ]);
});

it("deleting again is not an error and changes nothing", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  await ann.act("delete-stock", { id });
  const [before] = (await ann.act("list-stocks", { deleted: true })).items;
  expect(await ann.act("delete-stock", { id })).toEqual({ deleted: [id] });
  expect((await ann.act("list-stocks", { deleted: true })).items).toEqual([before]);
});

it("of two deletes at the same instant both succeed and one is recorded", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  const answers = await Promise.all([1, 2, 3].map(() => ann.act("delete-stock", { id })));
  expect(answers).toEqual([{ deleted: [id] }, { deleted: [id] }, { deleted: [id] }]);
  const { events } = await ann.act("update-stock", { id, restore: true }).then(() => ann.act("get-stock", { id }));
  expect(events.map(({ action }) => action)).toEqual(["restore", "delete", "add"]);
});

it.each(["nope", "", UNKNOWN, "'; DROP TABLE stocks; --"])("the id %j is not found", async (id) => {
  expect(await aPerson().post("delete-stock", { id })).toEqual(NOT_FOUND);
});

it("somebody else's stock is not found, alone or among others", async () => {
  const ann = aPerson();
  const eve = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  expect(await eve.post("delete-stock", { id })).toEqual(NOT_FOUND);
  expect(await eve.act("delete-stock", { ids: [id] })).toEqual({ deleted: [] });
  expect((await ann.act("list-stocks", {})).total).toBe(1);
});

it("several are deleted at once; unknown ones are left out and doubled ones count once", async () => {
  const ann = aPerson();
  const [a, b, c] = [await ann.add({ symbol: "A" }), await ann.add({ symbol: "B" }), await ann.add({ symbol: "C" })];
  await ann.act("delete-stock", { id: b.id });
  expect(await ann.act("delete-stock", { ids: [c.id, "nope", UNKNOWN, b.id, c.id] })).toEqual({
    deleted: [c.id, b.id],
  });
  expect((await ann.act("list-stocks", {})).items.map(({ id }) => id)).toEqual([a.id]);
});

it("a hundred are deleted at once, a hundred and one are refused", async () => {
  const ann = aPerson();
  const items = Array.from({ length: 100 }, (_, index) => ({ symbol: `S${index}` }));
  const results = await ann.addSeveral({ items });
  const ids = results.flatMap(({ stock }) => stock?.id ?? []);
  expect(await ann.post("delete-stock", { ids: [...ids, UNKNOWN] })).toEqual({
    status: 400,
    body: { error: "ids: use a list of at most 100 ids" },
  });
  expect(await ann.act("delete-stock", { ids })).toEqual({ deleted: ids });
  expect((await ann.act("list-stocks", { deleted: true })).total).toBe(100);
});

it("the trash keeps a stock for thirty days, and then neither it nor its history", async () => {
  const ann = aPerson();
  const [kept, gone] = [await ann.add({ symbol: "KEPT" }), await ann.add({ symbol: "GONE" })];
  await ann.act("delete-stock", { id: gone.id });
  const after = (days: number) => purgeTrash(openDb(env.DB), Date.now() + days * 24 * 60 * 60 * 1_000);
  const historyOf = async (id: string) =>
    (await env.DB.prepare("SELECT count(*) AS count FROM stock_events WHERE stock_id = ?").bind(id).first("count")) ??
    0;
  await after(29.9);
  expect((await ann.act("list-stocks", { deleted: true })).items).toMatchObject([{ id: gone.id }]);
  await after(30.1);
  expect((await ann.act("list-stocks", { deleted: true })).total).toBe(0);
  expect(await ann.post("update-stock", { id: gone.id, restore: true })).toEqual(NOT_FOUND);
  expect([await historyOf(gone.id), await historyOf(kept.id)]).toEqual([0, 1]);
  expect(await ann.post("add-stock", { symbol: "GONE" })).toMatchObject({ status: 200 });
});

it("the trash is emptied by an index, and the history goes by one", async () => {
  const { results } = await env.DB.prepare(
    "EXPLAIN QUERY PLAN DELETE FROM stocks WHERE id IN (SELECT id FROM stocks WHERE deleted_at <= '2026' LIMIT 1)",
  ).all<{ detail: string }>();
  expect(results.map(({ detail }) => detail).join("\n")).toMatch(/stocks_trash/);
  const history = await env.DB.prepare("EXPLAIN QUERY PLAN SELECT 1 FROM stock_events WHERE stock_id = '1'").all();
  expect(JSON.stringify(history.results)).toContain("stock_events_stock");
});
