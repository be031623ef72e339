/** `add-stock` through the front door (api.md §5). */
import { describe, expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";

describe("one stock", () => {
  it("needs its symbol alone, and answers with the whole record", async () => {
    const stock = await aPerson().add({ symbol: " aapl " });
    expect(stock).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      symbol: "AAPL",
      name: "AAPL",
      exchange: null,
      isin: null,
      assetType: "stock",
      currency: "USD",
      quantity: null,
      avgCost: null,
      watched: true,
      targetLow: null,
      targetHigh: null,
      lastPrice: null,
      lastPriceAt: null,
      lastPriceSource: null,
      sector: null,
      tags: [],
      notes: null,
      status: "watching",
      marketValue: null,
      costBasis: null,
      gain: null,
      gainPct: null,
      targetState: "none",
      distanceToTargetPct: null,
      ...{
        dayChange: null,
        dayChangePct: null,
        priceState: "none",
        autoPrice: true,
        instrument: null,
        pendingSplit: null,
        ...{ notify: false, lastAlert: null },
      },
      version: 1,
      updatedVia: "screen",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updatedAt: stock.createdAt,
      deletedAt: null,
    });
  });

  it("keeps every field it is given, in canonical form", async () => {
    const ann = aPerson();
    const added = await ann.add({
      symbol: "vod.l",
      name: " Vodafone ",
      exchange: "xlon",
      isin: "gb00bh4hks39",
      assetType: "stock",
      currency: "GBp",
      quantity: "0100.50",
      avgCost: 72.1,
      watched: true,
      targetLow: "60.0",
      targetHigh: "90",
      lastPrice: "75.25",
      lastPriceAt: "2026-11-20T10:00:00+02:00",
      lastPriceSource: "broker",
      sector: "Telecoms",
      tags: ["UK", "uk", "income"],
      notes: "line 1\r\nline 2",
    });
    expect(added).toMatchObject({
      symbol: "VOD.L",
      name: "Vodafone",
      exchange: "XLON",
      isin: "GB00BH4HKS39",
      currency: "GBX",
      quantity: "100.5",
      avgCost: "72.1",
      targetLow: "60",
      lastPriceAt: "2026-11-20T08:00:00.000Z",
      tags: ["UK", "income"],
      notes: "line 1\nline 2",
      status: "holding",
      marketValue: "7562.625",
      costBasis: "7246.05",
      gain: "316.575",
      targetState: "between",
    });
    expect((await ann.act("get-stock", { id: added.id })).stock).toEqual(added);
  });

  it("is refused while the symbol is in the list, on the same exchange only", async () => {
    const ann = aPerson();
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    const conflict = { status: 409, body: { error: "AAPL is already in your list." } };
    expect(await ann.post("add-stock", { symbol: "aapl", exchange: "xnas" })).toEqual(conflict);
    expect((await ann.add({ symbol: "AAPL" })).exchange).toBeNull();
    expect(await ann.post("add-stock", { symbol: "AAPL" })).toEqual(conflict);
  });

  it("is one's own: two people can have the same symbol", async () => {
    await aPerson().add({ symbol: "AAPL" });
    expect((await aPerson().add({ symbol: "AAPL" })).version).toBe(1);
  });

  it.each([
    [{}, "symbol: use 1 to 32 letters, digits or . - ^ = /"],
    [{ symbol: "A", avgCost: 5 }, "avgCost: needs a quantity above 0, otherwise set it to null"],
    [{ symbol: "A", targetLow: 5, targetHigh: 5 }, "targetLow: use less than targetHigh"],
    [{ symbol: "A", ownerEmail: "x" }, "ownerEmail: unknown field, leave it out"],
    [
      { symbol: "A", via: "agent", updatedVia: "agent" },
      "via: unknown field, leave it out; updatedVia: unknown field, leave it out",
    ],
  ])("with %j is refused: %s", async (input, error) => {
    expect(await aPerson().post("add-stock", input)).toEqual({ status: 400, body: { error } });
  });

  it("added twice at the same instant is added once", async () => {
    const ann = aPerson();
    const answers = await Promise.all([1, 2, 3, 4].map(() => ann.post("add-stock", { symbol: "AAPL" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await ann.act("list-stocks", {})).total).toBe(1);
  });

  it("comes back from the trash under its id, with the new values and a fresh stock's defaults", async () => {
    const ann = aPerson();
    const old = await ann.add({ symbol: "AAPL", quantity: "5", avgCost: "100", notes: "old", tags: ["old"] });
    await ann.act("delete-stock", { id: old.id });
    const restored = await ann.add({ symbol: "AAPL", name: "Apple" });
    expect(restored).toMatchObject({ id: old.id, name: "Apple", quantity: null, avgCost: null, notes: null, tags: [] });
    expect(restored).toMatchObject({ watched: true, version: 3, createdAt: old.createdAt, deletedAt: null });
    expect((await ann.act("list-stocks", { deleted: true })).total).toBe(0);
  });
});

describe("several stocks", () => {
  it("have an outcome each; good ones are written although others fail", async () => {
    const ann = aPerson();
    const trashed = await ann.add({ symbol: "OLD" });
    await ann.act("delete-stock", { id: trashed.id });
    await ann.add({ symbol: "AAPL" });
    const items = [{ symbol: "MSFT" }, { symbol: "AAPL" }, { symbol: "OLD" }, { symbol: "a b" }, 5, { symbol: "MSFT" }];
    expect(await ann.act("add-stock", { items })).toEqual({
      results: [
        { index: 0, outcome: "created", stock: expect.objectContaining({ symbol: "MSFT", version: 1 }) },
        { index: 1, outcome: "conflict", error: "AAPL is already in your list." },
        { index: 2, outcome: "restored", stock: expect.objectContaining({ id: trashed.id }) },
        { index: 3, outcome: "invalid", error: "symbol: use 1 to 32 letters, digits or . - ^ = /" },
        { index: 4, outcome: "invalid", error: "item: send an object with a stock's fields" },
        { index: 5, outcome: "conflict", error: "MSFT is already in your list." },
      ],
    });
    expect((await ann.act("list-stocks", {})).items.map(({ symbol }) => symbol)).toEqual(["AAPL", "MSFT", "OLD"]);
  });

  it("are only rehearsed by dryRun", async () => {
    const ann = aPerson();
    await ann.add({ symbol: "AAPL" });
    const items = [{ symbol: "AAPL", quantity: 1 }, { symbol: "MSFT" }, { symbol: "MSFT" }, {}];
    expect(await ann.act("add-stock", { items, onConflict: "skip", dryRun: true })).toEqual({
      results: [
        { index: 0, outcome: "skipped" },
        { index: 1, outcome: "created" },
        { index: 2, outcome: "skipped" },
        { index: 3, outcome: "invalid", error: "symbol: use 1 to 32 letters, digits or . - ^ = /" },
      ],
    });
    expect((await ann.act("list-stocks", {})).total).toBe(1);
  });

  it("are merged into those in the list by update, also one after the other", async () => {
    const ann = aPerson();
    const first = await ann.add({ symbol: "AAPL", quantity: "1", notes: "keep" });
    const items = [
      { symbol: "AAPL", quantity: 2 },
      { symbol: "AAPL", avgCost: 3 },
    ];
    const results = await ann.addSeveral({ items, onConflict: "update" });
    expect(results).toMatchObject([
      { outcome: "updated", stock: { version: 2, quantity: "2", avgCost: null } },
      { outcome: "updated", stock: { version: 3, quantity: "2", avgCost: "3" } },
    ]);
    const { stock, events } = await ann.act("get-stock", { id: first.id });
    expect(stock).toEqual(results[1]?.stock);
    expect(events.map(({ action, version }) => [action, version])).toEqual([
      ["update", 3],
      ["update", 2],
      ["add", 1],
    ]);
  });

  it("may say that a holding of the list is sold, as an import does", async () => {
    const ann = aPerson();
    const { id } = await ann.add({ symbol: "AAPL", quantity: "10", avgCost: "180" });
    const update = (item: object) => ann.act("add-stock", { items: [item], onConflict: "update" });
    // What remains would be an average cost of nothing.
    expect(await update({ symbol: "AAPL", quantity: "0" })).toMatchObject({ results: [{ outcome: "invalid" }] });
    expect(await update({ symbol: "AAPL", quantity: "0", avgCost: null })).toMatchObject({
      results: [{ outcome: "updated", stock: { id, quantity: "0", avgCost: null, status: "inactive" } }],
    });
  });

  it("can be 100 with the longest texts", async () => {
    const ann = aPerson();
    const items = Array.from({ length: 100 }, (_, index) => ({
      symbol: `S${index}`,
      name: "株".repeat(120),
      notes: "株".repeat(3_000),
    }));
    const results = await ann.addSeveral({ items });
    expect(results.map(({ outcome }) => outcome)).toEqual(items.map(() => "created"));
    const cleared = items.map(({ symbol }) => ({ symbol, notes: null }));
    expect((await ann.addSeveral({ items: cleared, onConflict: "update" })).at(-1)).toMatchObject({
      outcome: "updated",
      stock: { version: 2, notes: null },
    });
  });

  it("can be 50 with texts that folding makes 18 times as long", async () => {
    const ann = aPerson();
    const long = (length: number) => "\uFDFA".repeat(length);
    const tags = Array.from({ length: 20 }, (_, index) => `${index + 10}${long(30)}`);
    const texts = { name: long(120), sector: long(60), tags, notes: "株".repeat(4_000) };
    const items = Array.from({ length: 50 }, (_, index) => ({ symbol: `S${index}`, ...texts }));
    const results = await ann.addSeveral({ items });
    expect(results.map(({ outcome }) => outcome)).toEqual(items.map(() => "created"));
  });

  it("added twice at the same instant are added once", async () => {
    const ann = aPerson();
    const items = [{ symbol: "A" }, { symbol: "B" }];
    const answers = await Promise.all([1, 2].map(() => ann.addSeveral({ items })));
    const outcomes = answers.map((results) => results.map(({ outcome }) => outcome));
    expect(outcomes.sort()).toEqual([
      ["conflict", "conflict"],
      ["created", "created"],
    ]);
    expect((await ann.act("list-stocks", {})).total).toBe(2);
  });
});
