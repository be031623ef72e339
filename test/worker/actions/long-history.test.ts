/** A stock's history has no limit: it is read page by page along an index. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { ownedRows } from "../../../src/db/owner-rows.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

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
  return { ann, id, owner: OwnerEmail.parse(ann.email) };
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
