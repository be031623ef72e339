/** What is read after the list, which nobody waits for: the lines of the last month and first prices. A read may fail. */
import { QueryClient } from "@tanstack/preact-query";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Stock } from "../../../../src/contract/stocks/stock.ts";
import { readSparks } from "../../../../src/ui/stocks/store/fetch-sparks.ts";
import { followPrices } from "../../../../src/ui/stocks/store/follow-prices.ts";
import { sparks } from "../../../../src/ui/stocks/store/row-state.ts";
import { STOCK_LIST_KEY, type StockList, StockStore } from "../../../../src/ui/stocks/store/stock-store.ts";
import { stockOf } from "./form/stock-of.ts";

type Page = { readonly items: Stock[]; readonly nextCursor: string | null };

/** Answers with these pages in turn. */
const pages = (...answers: readonly Page[]) =>
  answers.reduce((read, page) => read.mockResolvedValueOnce(page), vi.fn<() => Promise<Page>>());

const NOT_NOW = new Error("Not now.");

const [FIRST, SECOND] = ["0193f5c0-0000-7000-8000-000000000001", "0193f5c0-0000-7000-8000-000000000002"] as const;

/** A page of one linked stock with these closes. */
const pageOf = (id: string, spark: readonly number[], nextCursor: string | null): Page => ({
  items: [stockOf({ id, spark, instrument: { source: "demo", symbol: "AAPL", exchange: "XNAS", name: "Apple" } })],
  nextCursor,
});

it("lines that are shown stay when a page of newer ones fails, and are to be read again", async () => {
  onTestFinished(() => sparks.set(new Map()));
  expect(await readSparks(pages(pageOf(FIRST, [0, 100], "next"), pageOf(SECOND, [100, 0], null)))).toBe(true);
  const before = sparks.get();
  expect([...before.keys()]).toEqual([FIRST, SECOND]);
  expect(await readSparks(pages(pageOf(FIRST, [50, 50], "next")).mockRejectedValueOnce(NOT_NOW))).toBe(false);
  expect([...sparks.get().keys()]).toEqual([FIRST, SECOND]);
  expect(sparks.get().get(FIRST)).not.toBe(before.get(FIRST));
  expect(sparks.get().get(SECOND)).toBe(before.get(SECOND));
});

it("lines of which not even the first page came are to be read again", async () => {
  expect(await readSparks(pages().mockRejectedValueOnce(NOT_NOW))).toBe(false);
});

it("a first price is shown though the read before it failed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  // Sums are not read in a hidden tab.
  vi.stubGlobal("document", { hidden: true, addEventListener: () => undefined });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const [added, priced] = [stockOf({ lastPrice: null, lastPriceAt: null }), stockOf({ version: 4 })];
  const client = new QueryClient();
  client.setQueryData(STOCK_LIST_KEY, { items: [added], isComplete: true });
  const read = pages()
    .mockRejectedValueOnce(NOT_NOW)
    .mockResolvedValueOnce({ items: [priced], nextCursor: null });
  const isOver = followPrices(new StockStore(client, () => undefined), { q: "AAPL" }, read);
  await vi.advanceTimersByTimeAsync(60_000);
  await isOver;
  expect(read).toHaveBeenCalledTimes(2);
  expect(client.getQueryData<StockList>(STOCK_LIST_KEY)?.items).toEqual([priced]);
});
