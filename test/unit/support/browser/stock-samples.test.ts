/** The sample stocks: what `add-stock` takes, each symbol once, the same ones every time. */
import { expect, it } from "vitest";
import { StockDraft } from "../../../../src/contract/stocks/stock-values.ts";
import { sampleStocks } from "../../../support/browser/stock-samples.ts";

const samples = sampleStocks(5_000);

it("are drafts that the contract takes", () => {
  expect(samples.filter((draft) => !StockDraft.safeParse(draft).success)).toEqual([]);
});

it("have each symbol once", () => {
  expect(new Set(samples.map(({ symbol }) => symbol)).size).toBe(5_000);
});

it("are the same however many are asked for", () => {
  expect(sampleStocks(40)).toEqual(samples.slice(0, 40));
});

it("are held about half of the time", () => {
  const held = samples.filter(({ quantity }) => quantity !== undefined).length;
  expect(held).toBeGreaterThan(2_000);
  expect(held).toBeLessThan(3_000);
});
