/** 5,000 live stocks a person (api.md §5). */
import { beforeAll, expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const ann = aPerson();
const FULL = { status: 409, body: { error: "You have 5,000 stocks, the limit. Delete some first." } };

beforeAll(async () => {
  const batches = Array.from({ length: 50 }, (_, batch) =>
    Array.from({ length: 100 }, (_, index) => ({ symbol: `B${batch}S${index}`, quantity: "1.1", lastPrice: "0.1" })),
  );
  for (const items of batches) await ann.act("add-stock", { items });
}, 60_000);

it("the 5,001st is refused, alone, among others, and out of the trash", async () => {
  const [{ id } = { id: "" }] = (await ann.act("list-stocks", { limit: 1 })).items;
  await ann.act("delete-stock", { id });
  const last = await ann.add({ symbol: "LAST" });
  expect(await ann.post("add-stock", { symbol: "MORE" })).toEqual(FULL);
  expect(await ann.post("update-stock", { id, restore: true })).toEqual(FULL);
  expect(await ann.act("add-stock", { items: [{ symbol: "MORE" }, { symbol: "LAST" }] })).toEqual({
    results: [
      { index: 0, outcome: "conflict", error: FULL.body.error },
      { index: 1, outcome: "conflict", error: "LAST is already in your list." },
    ],
  });
  expect((await ann.act("update-stock", { id: last.id, set: { notes: "n" } })).stock.notes).toBe("n");
});

it("two that come at the same instant for the last place: one gets it", async () => {
  const [{ id } = { id: "" }] = (await ann.act("list-stocks", { limit: 1 })).items;
  await ann.act("delete-stock", { id });
  const answers = await Promise.all(["X1", "X2", "X3"].map((symbol) => ann.post("add-stock", { symbol })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await ann.act("list-stocks", { limit: 1 })).total).toBe(5_000);
});

it("totals over all of them are exact", async () => {
  const list = await ann.act("list-stocks", { q: "b1 s1", limit: 1 });
  expect(list.totals).toEqual([{ currency: "USD", cost: null, value: exactValue(list.total), gain: null }]);
  expect((await ann.act("list-stocks", { status: "holding", limit: 1 })).totals[0]?.value).toMatch(/^5\d\d\.\d+$/);
});

/** 0.11 each, summed without floats. */
const exactValue = (count: number): string => {
  const hundredths = String(count * 11).padStart(3, "0");
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`.replace(/\.?0+$/, "");
};
