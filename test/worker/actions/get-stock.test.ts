/** `get-stock` through the front door: by id, by symbol, with its history (api.md §5). */
import { expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const NOT_FOUND = { status: 404, body: { error: "Stock not found." } };

it("a stock is found by id and by symbol in any case, by GET and by POST", async () => {
  const ann = aPerson();
  const stock = await ann.add({ symbol: "BRK.B", exchange: "XNYS" });
  const answers = await Promise.all([
    ann.get("get-stock", `?id=${stock.id}`),
    ann.get("get-stock", "?symbol=brk.b"),
    ann.get("get-stock", "?symbol=BRK.B&exchange=xnys"),
    ann.post("get-stock", { id: stock.id }),
    ann.post("get-stock", { symbol: " brk.b ", exchange: "XNYS" }),
  ]);
  expect(answers).toEqual(answers.map(() => ({ status: 200, body: { stock, events: [expect.anything()] } })));
});

it("a symbol on several exchanges is refused with their names", async () => {
  const ann = aPerson();
  const bare = await ann.add({ symbol: "AAPL" });
  const german = await ann.add({ symbol: "AAPL", exchange: "XETR" });
  expect(await ann.post("get-stock", { symbol: "AAPL" })).toEqual({
    status: 409,
    body: { error: "AAPL is on several exchanges: null (none), XETR. Give exchange as well, or id." },
  });
  expect((await ann.act("get-stock", { symbol: "AAPL", exchange: "XETR" })).stock.id).toBe(german.id);
  expect((await ann.act("get-stock", { symbol: "AAPL", exchange: null })).stock.id).toBe(bare.id);
});

it.each(["?id=nope", "?id=", "?symbol=NONE", "?id=01234567-89ab-7000-8000-000000000000"])(
  "%s is not found",
  async (query) => {
    expect(await aPerson().get("get-stock", query)).toEqual(NOT_FOUND);
  },
);

it("somebody else's stock is not found", async () => {
  const { id } = await aPerson().add({ symbol: "AAPL" });
  const eve = aPerson();
  expect(await eve.post("get-stock", { id })).toEqual(NOT_FOUND);
  expect(await eve.post("get-stock", { symbol: "AAPL" })).toEqual(NOT_FOUND);
});

it("the history tells who changed which fields, newest first", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL", quantity: 1 });
  await ann.act("update-stock", { id, set: { quantity: 2, notes: "n" } });
  const { events } = await ann.act("get-stock", { id });
  expect(events).toEqual([
    {
      id: expect.any(String),
      action: "update",
      via: "screen",
      runId: null,
      version: 2,
      before: { quantity: "1", notes: null },
      after: { quantity: "2", notes: "n" },
      at: expect.stringMatching(/Z$/),
    },
    {
      id: expect.any(String),
      action: "add",
      via: "screen",
      runId: null,
      version: 1,
      before: null,
      after: expect.objectContaining({ symbol: "AAPL", quantity: "1" }),
      at: expect.stringMatching(/Z$/),
    },
  ]);
});

it("the history ends at 50 events", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  const items = Array.from({ length: 60 }, (_, index) => ({ symbol: "AAPL", quantity: index + 1 }));
  await ann.act("add-stock", { items, onConflict: "update" });
  const { events } = await ann.act("get-stock", { id });
  expect([events.length, events[0]?.version, events.at(-1)?.version]).toEqual([50, 61, 12]);
});
