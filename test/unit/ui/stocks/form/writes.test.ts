/** Order and failures of writes, and how the list looks before they are answered. */
import { QueryClient, QueryObserver } from "@tanstack/preact-query";
import { expect, it, onTestFinished, vi } from "vitest";
import { ApiError } from "../../../../../src/ui/api/api-error.ts";
import {
  removedOverlay,
  restoredOverlay,
  watchedOverlay,
} from "../../../../../src/ui/stocks/store/bind-stock-actions.ts";
import { settleEach } from "../../../../../src/ui/stocks/store/settle-each.ts";
import { failureWords, showFailures } from "../../../../../src/ui/stocks/store/stock-failures.ts";
import { STOCK_LIST_KEY, type StockList, StockStore } from "../../../../../src/ui/stocks/store/stock-store.ts";
import { stockOf } from "./stock-of.ts";

it("one failure stops none of the others, and failures come in the order of the input", async () => {
  const done: number[] = [];
  const failures = await settleEach([5, 4, 3, 2, 1], async (item) => {
    await Promise.resolve();
    if (item % 2 === 0) throw new Error(`No ${item}`);
    done.push(item);
  });
  expect(done.toSorted()).toEqual([1, 3, 5]);
  expect(failures.map(({ item }) => item)).toEqual([4, 2]);
});

/** A server that takes so many requests in each minute of the clock, and otherwise says how long to wait. */
const limitedServer = (perMinute: number, retryAfterSeconds: number) => {
  const taken = new Map<number, number>();
  let refused = 0;
  return {
    refused: () => refused,
    ask: async (): Promise<void> => {
      const minute = Math.floor(Date.now() / 60_000);
      const count = taken.get(minute) ?? 0;
      if (count < perMinute) taken.set(minute, count + 1);
      else {
        refused += 1;
        throw new ApiError(429, "Too many requests.", { retryAfterSeconds });
      }
    },
  };
};

it("what the server puts off for a minute waits and is done, with no more asked meanwhile", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = limitedServer(600, 60);
  const settled = settleEach(Array.from({ length: 1_500 }), server.ask);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await settled).toEqual([]);
  // Twice, by each of those that are sent at once.
  expect(server.refused()).toBe(8);
});

it("what is put off until the next day, or again and again, fails and can be tried again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect(await settleEach([1], limitedServer(0, 3_600).ask)).toMatchObject([{ item: 1, error: { status: 429 } }]);
  const settled = settleEach([1, 2], limitedServer(0, 60).ask);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(await settled).toMatchObject([{ item: 1 }, { item: 2 }]);
});

it.each([
  [[new ApiError(0, "No answer.")], "AAPL may not have been deleted. No answer.", true],
  [[new ApiError(503, "Not now.")], "AAPL may not have been deleted. Not now.", true],
  [[new ApiError(429, "Too many.")], "AAPL was not deleted. Too many.", false],
  [[new ApiError(400, "No."), new ApiError(429, "Too many.")], "2 stocks were not deleted. No.", false],
  [[new ApiError(400, "No."), new ApiError(0, "No answer.")], "2 stocks may not have been deleted. No.", true],
])(
  "only of a failure after which nothing was done is that said, and otherwise the list is read again, case %#",
  (errors, words, isRead) => {
    const failures = errors.map((error) => ({ item: stockOf(), error }));
    const refreshAll = vi.fn();
    showFailures(failures, "deleted", { retry: () => undefined, refreshAll });
    expect([failureWords(failures, "deleted"), refreshAll.mock.calls.length]).toEqual([words, isRead ? 1 : 0]);
  },
);

it("that the list could not be read is not forgotten with the next change", async () => {
  vi.stubGlobal("document", { hidden: false });
  onTestFinished(() => void vi.unstubAllGlobals());
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const stock = stockOf();
  client.setQueryData(STOCK_LIST_KEY, { items: [stock], isComplete: true });
  const queryFn = () => Promise.reject<StockList>(new Error("Not now."));
  const list = new QueryObserver<StockList>(client, { queryKey: STOCK_LIST_KEY, queryFn });
  onTestFinished(list.subscribe(() => undefined));
  await list.refetch();
  new StockStore(client, () => undefined).receive({ stocks: [], deleted: [stock.id] });
  await expect
    .poll(() => list.getCurrentResult())
    .toMatchObject({ data: { items: [] }, error: { message: "Not now." } });
});

it("what is not held is watched or neither, what is held stays a holding", () => {
  const held = stockOf();
  const other = stockOf({ id: "0193f5c0-0000-7000-8000-000000000009", quantity: null, status: "inactive" });
  const shown = watchedOverlay(new Set([held.id, other.id]), true)([held, other]);
  expect(shown.map(({ watched, status }) => [watched, status])).toEqual([
    [true, "holding"],
    [true, "watching"],
  ]);
});

it("a restored stock is shown once, whether the list has it by now or not", () => {
  const stock = stockOf({ deletedAt: "2026-11-20T10:00:00.000Z" });
  const back = restoredOverlay([stock])([]);
  expect(back).toEqual([{ ...stock, deletedAt: null }]);
  expect(restoredOverlay([stock])(back)).toEqual(back);
  expect(removedOverlay(new Set([stock.id]))(back)).toEqual([]);
});
