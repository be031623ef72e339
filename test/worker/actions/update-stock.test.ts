/** `update-stock` through the front door: merge patch, versions, races, restore (api.md §5). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const NOT_FOUND = { status: 404, body: { error: "Stock not found." } };

it("absent fields stay, null clears, and the figures follow", async () => {
  const ann = aPerson();
  const added = await ann.add({ symbol: "AAPL", quantity: 10, avgCost: 180, lastPrice: 190, notes: "n", tags: ["a"] });
  const { stock } = await ann.act("update-stock", {
    id: added.id,
    set: { quantity: "12.50", notes: null, tags: null },
  });
  expect(stock).toEqual({
    ...added,
    quantity: "12.5",
    notes: null,
    tags: [],
    marketValue: "2375",
    costBasis: "2250",
    gain: "125",
    gainPct: "5.5555555556",
    version: 2,
    updatedAt: stock.updatedAt,
  });
  expect((await ann.act("get-stock", { id: added.id })).stock).toEqual(stock);
});

it("a patch that changes nothing makes no version and no event", async () => {
  const ann = aPerson();
  const added = await ann.add({ symbol: "AAPL", quantity: 10, tags: ["a"] });
  const { stock } = await ann.act("update-stock", { id: added.id, set: { quantity: "10.0", tags: ["a", "A"] } });
  expect(stock).toEqual(added);
  expect((await ann.act("get-stock", { id: added.id })).events).toHaveLength(1);
});

it("rules between fields hold for the merged record", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL", quantity: 10, avgCost: 180, targetLow: 100 });
  expect(await ann.post("update-stock", { id, set: { quantity: null } })).toEqual({
    status: 400,
    body: { error: "avgCost: needs a quantity above 0, otherwise set it to null" },
  });
  expect(await ann.post("update-stock", { id, set: { targetHigh: 99 } })).toEqual({
    status: 400,
    body: { error: "targetLow: use less than targetHigh" },
  });
  const sold = await ann.act("update-stock", { id, set: { quantity: null, avgCost: null } });
  expect(sold.stock).toMatchObject({ quantity: null, avgCost: null, status: "inactive", version: 2 });
});

it.each([
  [{ quantity: "0.00000004", avgCost: "1" }, [1, 1_000], "avgCost: needs a quantity above 0, otherwise set it to null"],
  [{ targetLow: "0.00000004" }, [1_000, 1], "targetLow: use more than 0"],
  [{ targetHigh: "0.00000004" }, [1_000, 1], "targetHigh: use more than 0"],
])("a split that rounds what is left to 0 is refused: %j, %j", async (values, [numerator, denominator], error) => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL", ...values });
  const split = { day: "2026-06-10", numerator, denominator };
  await env.DB.prepare("UPDATE stocks SET pending_split = ? WHERE id = ?").bind(JSON.stringify(split), id).run();
  const answer = { day: split.day, answer: "apply" };
  expect(await ann.post("update-stock", { id, split: answer })).toEqual({ status: 409, body: { error } });
  expect((await ann.act("list-stocks", {})).items).toMatchObject([{ ...values, pendingSplit: split }]);
});

it("a stale version is refused and the changed fields are named", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  await ann.act("update-stock", { id, version: 1, set: { quantity: 1 } });
  await ann.act("update-stock", { id, version: 2, set: { notes: "n", quantity: 2 } });
  expect(await ann.post("update-stock", { id, version: 1, set: { sector: "Tech" } })).toEqual({
    status: 409,
    body: { error: "AAPL has changed since version 1: quantity, notes. Read it again." },
  });
  expect(await ann.post("update-stock", { id, version: 9, set: { sector: "Tech" } })).toEqual({
    status: 409,
    body: { error: "AAPL is at version 3, not 9. Read it again." },
  });
});

it("a stale version is told of a price alone where the price's time and source are the same", async () => {
  const ann = aPerson();
  const at = "2026-06-01T20:00:00.000Z";
  const { id } = await ann.add({ symbol: "AAPL", lastPrice: "5", lastPriceAt: at });
  await ann.act("update-stock", { id, version: 1, set: { lastPrice: "6", lastPriceAt: at } });
  expect(await ann.post("update-stock", { id, version: 1, set: { notes: "n" } })).toEqual({
    status: 409,
    body: { error: "AAPL has changed since version 1: lastPrice. Read it again." },
  });
  const { events } = await ann.act("get-stock", { id });
  expect(events[0]).toMatchObject({ before: { lastPrice: "5" }, after: { lastPrice: "6" } });
  expect(Object.keys(events[0]?.after ?? {})).toEqual(["lastPrice"]);
});

it("of two simultaneous changes of one version one wins and the other is refused", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  const answers = await Promise.all([
    ann.post("update-stock", { id, version: 1, set: { notes: "one" } }),
    ann.post("update-stock", { id, version: 1, set: { notes: "two" } }),
  ]);
  expect(answers.sort((a, b) => a.status - b.status)).toEqual([
    { status: 200, body: { stock: expect.objectContaining({ version: 2 }) } },
    { status: 409, body: { error: "AAPL has changed since version 1: notes. Read it again." } },
  ]);
});

it("changes without a version at the same instant are all merged", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  const patches = [{ quantity: 1 }, { notes: "n" }, { sector: "s" }, { tags: ["t"] }, { name: "N" }, { targetLow: 1 }];
  await Promise.all(patches.map((set) => ann.act("update-stock", { id, set })));
  expect((await ann.act("get-stock", { id })).stock).toMatchObject({
    quantity: "1",
    notes: "n",
    sector: "s",
    tags: ["t"],
    name: "N",
    targetLow: "1",
    version: 7,
  });
});

it.each(["nope", "", "01234567-89ab-7000-8000-000000000000"])("the id %j is not found", async (id) => {
  expect(await aPerson().post("update-stock", { id, set: { notes: "n" } })).toEqual(NOT_FOUND);
});

it("somebody else's stock is not found, and stays as it is", async () => {
  const ann = aPerson();
  const added = await ann.add({ symbol: "AAPL" });
  expect(await aPerson().post("update-stock", { id: added.id, set: { notes: "mine now" } })).toEqual(NOT_FOUND);
  expect((await ann.act("get-stock", { id: added.id })).stock).toEqual(added);
});

describe("a symbol", () => {
  it("can change, and the search follows it", async () => {
    const ann = aPerson();
    const { id } = await ann.add({ symbol: "FB", name: "Facebook" });
    await ann.act("update-stock", { id, set: { symbol: "META", name: "Meta" } });
    expect((await ann.act("list-stocks", { q: "facebook" })).total).toBe(0);
    expect((await ann.act("list-stocks", { q: "meta" })).items).toMatchObject([{ id, symbol: "META" }]);
  });

  it("cannot become one that is in the list on that exchange", async () => {
    const ann = aPerson();
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    const other = await ann.add({ symbol: "AAPL" });
    expect(await ann.post("update-stock", { id: other.id, set: { exchange: "XNAS" } })).toEqual({
      status: 409,
      body: { error: "AAPL is already in your list." },
    });
  });

  it("that two stocks want at the same instant goes to one of them", async () => {
    const ann = aPerson();
    const [a, b] = [await ann.add({ symbol: "A" }), await ann.add({ symbol: "B" })];
    const answers = await Promise.all([a, b].map(({ id }) => ann.post("update-stock", { id, set: { symbol: "C" } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("restore", () => {
  it("undoes a delete and can change fields at once", async () => {
    const ann = aPerson();
    const added = await ann.add({ symbol: "AAPL", quantity: 5 });
    await ann.act("delete-stock", { id: added.id });
    const { stock } = await ann.act("update-stock", { id: added.id, restore: true, set: { notes: "back" } });
    expect(stock).toEqual({ ...added, notes: "back", version: 3, updatedAt: stock.updatedAt });
    expect((await ann.act("get-stock", { id: added.id })).events.map(({ action }) => action)).toEqual([
      "restore",
      "delete",
      "add",
    ]);
  });

  it("of a live stock changes nothing", async () => {
    const ann = aPerson();
    const added = await ann.add({ symbol: "AAPL" });
    expect(await ann.act("update-stock", { id: added.id, restore: true })).toEqual({ stock: added });
  });

  it("is refused when the symbol is taken again", async () => {
    const ann = aPerson();
    const first = await ann.add({ symbol: "AAPL" });
    const other = await ann.add({ symbol: "MSFT" });
    await ann.act("delete-stock", { id: first.id });
    await ann.act("update-stock", { id: other.id, set: { symbol: "AAPL" } });
    expect(await ann.post("update-stock", { id: first.id, restore: true })).toEqual({
      status: 409,
      body: { error: "AAPL is already in your list." },
    });
  });

  it("is what a deleted stock needs to be changed", async () => {
    const ann = aPerson();
    const { id } = await ann.add({ symbol: "AAPL" });
    await ann.act("delete-stock", { id });
    expect(await ann.post("update-stock", { id, set: { notes: "n" } })).toEqual(NOT_FOUND);
    expect(await ann.post("update-stock", { id, restore: false, set: { notes: "n" } })).toEqual(NOT_FOUND);
  });
});
