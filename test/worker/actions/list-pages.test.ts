/** Pages of `list-stocks`: every order, nulls last, no row lost or doubled (api.md §5). */
import { beforeAll, describe, expect, it } from "vitest";
import type { ActionInput } from "../../../src/contract/action.ts";
import type { Stock } from "../../../src/contract/stocks/stock.ts";
import { SortField } from "../../../src/contract/stocks/stock-filter.ts";
import { aPerson, type Person } from "../../support/workerd/stocks-client.ts";

type List = ActionInput<"list-stocks">;

const ann = aPerson();
const ITEMS = Array.from({ length: 23 }, (_, index) => ({
  symbol: `S${String(index % 7)}${index}`,
  name: index % 3 === 0 ? `néo ${index % 5}` : `NEO ${index % 4}`,
  ...(index % 4 === 0 ? {} : { quantity: String((index % 5) + 1), avgCost: "3" }),
  ...(index % 3 === 0 ? {} : { lastPrice: `${index % 6}.10` }),
  ...(index % 2 === 0 ? {} : { targetLow: "2" }),
}));

beforeAll(async () => {
  await ann.act("add-stock", { items: ITEMS });
});

/** All pages of a list, asked for one after the other. */
const readPages = async (person: Person, list: List, between: () => Promise<unknown> = async () => {}) => {
  const pages: Stock[][] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: { items: Stock[]; nextCursor: string | null } = await person.act("list-stocks", { ...list, cursor });
    pages.push(page.items);
    cursor = page.nextCursor;
    await between();
  }
  return pages;
};

const VALUES: Record<SortField, (stock: Stock) => string | number | null> = {
  symbol: ({ symbol }) => symbol,
  name: ({ name }) => name.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase(),
  quantity: ({ quantity }) => quantity && Number(quantity),
  avgCost: ({ avgCost }) => avgCost && Number(avgCost),
  lastPrice: ({ lastPrice }) => lastPrice && Number(lastPrice),
  marketValue: ({ marketValue }) => marketValue && Number(marketValue),
  gainPct: ({ gainPct }) => gainPct && Number(gainPct),
  dayChangePct: ({ dayChangePct }) => dayChangePct && Number(dayChangePct),
  distanceToTarget: ({ distanceToTargetPct }) => distanceToTargetPct && Number(distanceToTargetPct),
  updatedAt: ({ updatedAt }) => updatedAt,
  createdAt: ({ createdAt }) => createdAt,
};

/** The order as the contract words it: by value, nulls last both ways, ids as tie-break. */
const inOrder = (stocks: Stock[], sort: SortField, order: "asc" | "desc"): string[] => {
  const sortKey = VALUES[sort];
  const sign = order === "asc" ? 1 : -1;
  const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0);
  const compareKeys = (a: string | number | null, b: string | number | null) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b);
  return stocks
    .toSorted((a, b) => compareKeys(sortKey(a), sortKey(b)) || compare(a.id, b.id))
    .map(({ symbol }) => symbol);
};

describe.each(SortField.options)("sorted by %s", (sort) => {
  it.each(["asc", "desc"] as const)("%s, pages of 4 hold every stock once and in order", async (order) => {
    const whole = (await ann.act("list-stocks", { sort, order, limit: 200 })).items;
    const pages = await readPages(ann, { sort, order, limit: 4 });
    expect(pages.map((page) => page.length)).toEqual([4, 4, 4, 4, 4, 3]);
    expect(pages.flat()).toEqual(whole);
    expect(whole.map(({ symbol }) => symbol)).toEqual(inOrder(whole, sort, order));
  });
});

it("a page that ends with the last row is the last one", async () => {
  expect((await ann.act("list-stocks", { limit: 23 })).nextCursor).toBeNull();
  expect((await ann.act("list-stocks", { limit: 22 })).nextCursor).not.toBeNull();
});

it.each([23, 22, 1])("the whole list is counted and summed on a first page of %i and behind it", async (limit) => {
  const { total, totals } = await ann.act("list-stocks", { limit: 200 });
  const first = await ann.act("list-stocks", { limit });
  const next = await ann.act("list-stocks", { limit, cursor: first.nextCursor ?? "" });
  expect([first, next]).toMatchObject([
    { total, totals },
    { total, totals },
  ]);
  expect({ total, totals }).toMatchObject({ total: 23, totals: [{ currency: "USD", cost: "150" }] });
});

it.each<List>([{ sort: "symbol" }, { sort: "quantity", order: "desc" }, { sort: "updatedAt", order: "desc" }])(
  "no stock is lost or doubled while others are added and deleted, by %j",
  async (list) => {
    const bea = aPerson();
    await bea.act("add-stock", { items: ITEMS });
    const before = (await bea.act("list-stocks", { limit: 200 })).items.map(({ id }) => id);
    let count = 0;
    const disturb = async () => {
      count += 1;
      const items = [{ symbol: `A${count}`, quantity: 1 }, { symbol: `T${count}` }];
      const results = await bea.addSeveral({ items });
      await bea.act("delete-stock", { ids: results.slice(0, 1).flatMap(({ stock }) => stock?.id ?? []) });
    };
    const seen = (await readPages(bea, { ...list, limit: 5 }, disturb)).flat().map(({ id }) => id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((id) => !seen.includes(id))).toEqual([]);
  },
);

it("a cursor is refused with another filter or sort, and fine with another limit", async () => {
  const { nextCursor } = await ann.act("list-stocks", { sort: "name", limit: 5 });
  const cursor = nextCursor ?? "";
  const refusal = {
    status: 400,
    body: { error: "cursor: use the nextCursor of the same list, with the same filters and sort" },
  };
  expect(await ann.post("list-stocks", { sort: "symbol", cursor })).toEqual(refusal);
  expect(await ann.post("list-stocks", { sort: "name", order: "desc", cursor })).toEqual(refusal);
  expect(await ann.post("list-stocks", { sort: "name", watched: true, cursor })).toEqual(refusal);
  expect((await ann.act("list-stocks", { sort: "name", limit: 100, cursor })).items).toHaveLength(18);
});

it("somebody else's cursor shows one's own stocks alone", async () => {
  const { nextCursor } = await ann.act("list-stocks", { limit: 5 });
  const eve = aPerson();
  await eve.add({ symbol: "ZZZ" });
  const page = await eve.act("list-stocks", { limit: 5, cursor: nextCursor ?? "" });
  expect(page.items.map(({ symbol }) => symbol)).toEqual(["ZZZ"]);
});
