/** `list-stocks` through the front door: filters, search, totals, GET and POST (api.md §5). */
import { beforeAll, describe, expect, it } from "vitest";
import type { ActionInput } from "../../../src/contract/action.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const ann = aPerson();
const symbols = async (input: ActionInput<"list-stocks">) =>
  (await ann.act("list-stocks", input)).items.map(({ symbol }) => symbol);

beforeAll(async () => {
  const items = [
    {
      symbol: "AAPL",
      name: "Apple",
      exchange: "XNAS",
      quantity: 10,
      avgCost: "180.1",
      lastPrice: "190.2",
      tags: ["Tech"],
    },
    { symbol: "NESN", name: "Nestlé", currency: "CHF", isin: "CH0038863350", sector: "Food", tags: ["food", "EU"] },
    { symbol: "ORSTED", name: "Ørsted A/S", currency: "DKK", targetLow: 300, lastPrice: 290, tags: ["eu", "Énergie"] },
    { symbol: "VOD.L", currency: "GBX", quantity: 3, avgCost: "72.5", lastPrice: "70.25", watched: true },
    { symbol: "BARC.L", currency: "GBP", quantity: "0.5", avgCost: "2" },
    { symbol: "OLD", name: "100%_[a]*'\"", watched: false, targetHigh: 5, lastPrice: 4 },
  ];
  await ann.act("add-stock", { items });
  const gone = await ann.add({ symbol: "GONE", quantity: 1, avgCost: 1 });
  await ann.act("delete-stock", { id: gone.id });
});

it("an empty list is empty", async () => {
  expect(await aPerson().act("list-stocks", {})).toMatchObject({ items: [], total: 0, nextCursor: null, totals: [] });
});

it("all live stocks come by symbol, with exact totals per currency", async () => {
  const list = await ann.act("list-stocks", {});
  expect(list.items.map(({ symbol }) => symbol)).toEqual(["AAPL", "BARC.L", "NESN", "OLD", "ORSTED", "VOD.L"]);
  expect(list).toMatchObject({ total: 6, nextCursor: null });
  expect(list.totals).toEqual([
    { currency: "GBP", cost: "3.175", value: "2.1075", gain: "-0.0675" },
    { currency: "USD", cost: "1801", value: "1902", gain: "101" },
  ]);
});

describe("a filter", () => {
  it.each<[ActionInput<"list-stocks">, string[]]>([
    [{ status: "holding" }, ["AAPL", "BARC.L", "VOD.L"]],
    [{ status: "watching" }, ["NESN", "ORSTED"]],
    [{ status: "inactive" }, ["OLD"]],
    [{ watched: true }, ["NESN", "ORSTED", "VOD.L"]],
    [{ watched: false }, ["AAPL", "BARC.L", "OLD"]],
    [{ tags: ["EU"] }, ["NESN", "ORSTED"]],
    [{ tags: ["eu", "FOOD"] }, ["NESN"]],
    [{ tags: ["énergie"] }, ["ORSTED"]],
    [{ tags: ["e"] }, []],
    [{ tags: [] }, ["AAPL", "BARC.L", "NESN", "OLD", "ORSTED", "VOD.L"]],
    [{ currency: "GBp" }, ["VOD.L"]],
    [{ targetHit: true }, ["ORSTED"]],
    [{ targetHit: false }, ["AAPL", "BARC.L", "NESN", "OLD", "VOD.L"]],
    [{ deleted: true }, ["GONE"]],
    [{ deleted: false, status: "holding", watched: true }, ["VOD.L"]],
  ])("%j passes %j", async (filter, expected) => {
    expect(await symbols(filter)).toEqual(expected);
  });

  it("narrows count and totals too", async () => {
    const list = await ann.act("list-stocks", { q: "barc", limit: 1 });
    expect(list).toMatchObject({ total: 1, totals: [{ currency: "GBP", cost: "1", value: null, gain: null }] });
  });
});

describe("a search", () => {
  it.each([
    ["aap", ["AAPL"]],
    ["nestle", ["NESN"]],
    ["NESTLÉ", ["NESN"]],
    ["nestle\u0301", ["NESN"]],
    ["orsted", ["ORSTED"]],
    ["ch00388", ["NESN"]],
    ["xnas", ["AAPL"]],
    ["food", ["NESN"]],
    ["energie", ["ORSTED"]],
    ["eu food", ["NESN"]],
    ["  a/s  ors ", ["ORSTED"]],
    ["apple nestle", []],
    ["%", ["OLD"]],
    ["_", ["OLD"]],
    ["[a]*'\"", ["OLD"]],
    ["", ["AAPL", "BARC.L", "NESN", "OLD", "ORSTED", "VOD.L"]],
    [" \t", ["AAPL", "BARC.L", "NESN", "OLD", "ORSTED", "VOD.L"]],
    ["applenasdaq", []],
  ])("for %j finds %j", async (q, expected) => {
    expect(await symbols({ q })).toEqual(expected);
  });

  it.each(["x".repeat(200), "%".repeat(200), "é".repeat(200), "a ".repeat(100), "ﷺ".repeat(200), "\u0000", "\ud800"])(
    "of the longest or strangest kind is answered, case %#",
    async (q) => {
      expect((await ann.post("list-stocks", { q })).status).toBe(200);
    },
  );
});

describe("by GET", () => {
  it("numbers and booleans are text and lists are repeated keys", async () => {
    const query = "?tags=eu&tags=food&watched=true&deleted=false&limit=5&sort=name&order=desc&q=nest";
    expect(await ann.get("list-stocks", query)).toMatchObject({ status: 200, body: { total: 1 } });
    expect((await ann.get("list-stocks", query)).body).toEqual(
      (
        await ann.post("list-stocks", {
          tags: ["eu", "food"],
          watched: true,
          limit: 5,
          sort: "name",
          order: "desc",
          q: "nest",
        })
      ).body,
    );
  });

  it.each([
    ["?owner=eve", "owner: unknown field, leave it out"],
    ["?__proto__=1", "__proto__: unknown field, leave it out"],
    ["?constructor=1", "constructor: unknown field, leave it out"],
    ["?limit=ten", "limit: use a whole number from 1 to 200"],
    ["?limit=1.5", "limit: use a whole number from 1 to 200"],
    ["?limit=0", "limit: use a whole number from 1 to 200"],
    ["?limit=201", "limit: use a whole number from 1 to 200"],
    ["?limit=", "limit: use a whole number from 1 to 200"],
    ["?limit=1&limit=2", "limit: give it once"],
    ["?watched=1", "watched: use true or false"],
    ["?status=all", "status: use holding, watching or inactive"],
    ["?order=up", "order: use asc or desc"],
    [`?q=${"x".repeat(201)}`, "q: use at most 200 characters"],
    ["?cursor=x", "cursor: use the nextCursor of the same list, with the same filters and sort"],
  ])("%s is refused: %s", async (query, error) => {
    expect(await ann.get("list-stocks", query)).toEqual({ status: 400, body: { error } });
  });

  it("an empty cursor is the first page", async () => {
    expect(await ann.get("list-stocks", "?cursor=")).toMatchObject({ status: 200, body: { total: 6 } });
  });
});

it("somebody else sees nothing of it", async () => {
  expect(await aPerson().act("list-stocks", { deleted: true })).toMatchObject({ items: [], total: 0 });
});
