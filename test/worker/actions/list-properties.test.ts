/** `list-stocks` under any filter, sort and size of page, against a plain model; and while the list changes (api.md §5). */
import fc from "fast-check";
import { it } from "vitest";
import type { ActionInput } from "../../../src/contract/action.ts";
import type { Stock } from "../../../src/contract/stocks/stock.ts";
import { SortField, SortOrder } from "../../../src/contract/stocks/stock-filter.ts";
import { listByModel } from "../../support/stock-list-model.ts";
import { aPerson, type Person } from "../../support/workerd/stocks-client.ts";

type List = ActionInput<"list-stocks">;

/** The same lists in every run. */
const SEED = 5;

/** Few values, so that many stocks share them. */
const some = <Value>(...values: Value[]): fc.Arbitrary<Value | undefined> => fc.constantFrom(undefined, ...values);
const WORDS = ["néo", "NEO", "straße", "Ørsted", "100%", "a_b", "ﬁ", "x'y"];
const TAGS = ["Tech", "tech", "EU", "énergie"];

const draft = fc
  .record({
    name: some(...WORDS, "neo néo", "NEO straße"),
    exchange: some("XNAS", "XLON"),
    sector: some("Food", "Énergie"),
    currency: some("USD", "EUR", "GBX"),
    tags: fc.subarray(TAGS),
    watched: some(true, false),
    quantity: some("0", "1", "1.0000000001", "2"),
    lastPrice: some("0", "9.99", "10", "123456789012.5"),
    targetLow: some("1", "9.99"),
    targetHigh: some("10", "100"),
  })
  .chain((fields) =>
    // A cost needs a quantity.
    some("0", "3.3", "10").map((avgCost) => ((fields.quantity ?? "0") === "0" ? fields : { ...fields, avgCost })),
  );

const list: fc.Arbitrary<List> = fc.record({
  sort: fc.constantFrom(...SortField.options),
  order: fc.constantFrom(...SortOrder.options),
  q: some("", ...WORDS, "neo 0", "S1", "food", "x", "neo néo  straße"),
  status: some("holding" as const, "watching" as const, "inactive" as const),
  watched: some(true, false),
  currency: some("USD", "GBX"),
  targetHit: some(true, false),
  tags: some(...TAGS.map((tag) => [tag]), ["eu", "TECH"]),
  deleted: some(true, false),
});

/** Most filters leave nothing over: each is there a quarter of the time. */
const thinned = fc.tuple(list, fc.array(fc.nat(3), { minLength: 9, maxLength: 9 })).map(([whole, dice]): List => {
  const { sort, order, ...filter } = whole;
  const kept = Object.entries(filter).filter(([, value], index) => value !== undefined && dice[index] === 0);
  return { sort, order, ...Object.fromEntries(kept) };
});

/** All pages, and what happens between two of them. */
const readPages = async (person: Person, input: List, between: () => Promise<unknown> = async () => {}) => {
  const found: Stock[] = [];
  const totals = new Set<number>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { items: Stock[]; total: number; nextCursor: string | null } = await person.act("list-stocks", {
      ...input,
      cursor,
    });
    found.push(...page.items);
    totals.add(page.total);
    cursor = page.nextCursor;
    await between();
  }
  return { found, totals: [...totals] };
};

const drafts = fc
  .sample(draft, { numRuns: 80, seed: SEED })
  .map((fields, index) => ({ symbol: `S${index}`, ...fields }));

it("every filter and sort gives, page by page, what a plain model gives", async ({ expect }) => {
  const ann = aPerson();
  const added = (await ann.addSeveral({ items: drafts })).flatMap(({ stock }) => stock ?? []);
  expect(added).toHaveLength(drafts.length);
  await ann.act("delete-stock", { ids: added.filter((_, index) => index % 5 === 0).map(({ id }) => id) });
  const all = [
    ...(await ann.act("list-stocks", { limit: 200 })).items,
    ...(await ann.act("list-stocks", { limit: 200, deleted: true })).items,
  ];
  await fc.assert(
    fc.asyncProperty(thinned, fc.integer({ min: 9, max: 60 }), async (input, limit) => {
      const { sort = "symbol", order = "asc", cursor: _, limit: __, ...filter } = input;
      const expected = listByModel(all, { ...filter, sort, order });
      const { found, totals } = await readPages(ann, { ...input, limit });
      expect(found).toEqual(expected);
      expect(totals).toEqual([expected.length]);
    }),
    { numRuns: 40, seed: SEED },
  );
});

it("a list that changes between its pages loses and doubles nothing that stays", async ({ expect }) => {
  /** What happens between two pages: some are added, some of what was there goes. */
  const changes = fc.array(fc.record({ adds: fc.array(draft, { maxLength: 3 }), deletes: fc.array(fc.nat()) }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(thinned, fc.integer({ min: 2, max: 12 }), changes, async (input, limit, plan) => {
      const bea = aPerson();
      const old = (await bea.addSeveral({ items: drafts.slice(0, 30) })).flatMap(({ stock }) => stock ?? []);
      const before = (await readPages(bea, { ...input, limit: 200 })).found.map(({ id }) => id);
      const gone = new Set<string>();
      const steps = plan[Symbol.iterator]();
      let added = 0;
      const { found } = await readPages(bea, { ...input, limit }, async () => {
        const { adds, deletes } = steps.next().value ?? { adds: [], deletes: [] };
        const ids = deletes.flatMap((place) => old[place % old.length]?.id ?? []);
        for (const id of ids) gone.add(id);
        added += adds.length;
        await bea.act("add-stock", { items: adds.map((one, index) => ({ symbol: `N${added}-${index}`, ...one })) });
        await bea.act("delete-stock", { ids });
      });
      const seen = found.map(({ id }) => id);
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter((id) => !gone.has(id) && !seen.includes(id))).toEqual([]);
    }),
    { numRuns: 8, seed: SEED },
  );
});
