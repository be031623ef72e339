/** What a person presses follows one another on the server, however fast: many stocks restored, then removed. Answers may come late. */
import { QueryClient } from "@tanstack/preact-query";
import { expect, it, onTestFinished, vi } from "vitest";
import { KeyedMutex } from "../../../../src/contract/keyed-mutex.ts";
import { ApiError } from "../../../../src/ui/api/api-error.ts";
import { pressInToasts } from "../../../../src/ui/parts/toasts.tsx";
import { beginWrite, bindStockActions } from "../../../../src/ui/stocks/store/bind-stock-actions.ts";
import type { ChangedStocks } from "../../../../src/ui/stocks/store/changed-stocks.ts";
import { STOCK_LIST_KEY, type StockList, StockStore } from "../../../../src/ui/stocks/store/stock-store.ts";
import { stockOf } from "./form/stock-of.ts";

/** More than are sent at once. */
const STOCKS = Array.from({ length: 12 }, (_, nth) => stockOf({ id: `0193f5c0-0000-7000-8000-0000000000${nth + 10}` }));

it("a removal comes after all of the restoring that was pressed before it", async () => {
  const turns = new KeyedMutex();
  const sent: string[] = [];
  const { promise: removed, resolve } = Promise.withResolvers<void>();
  const actions = bindStockActions({
    ...{ show: () => () => undefined, begin: () => () => undefined },
    ...{ refreshTrash: () => undefined, refreshAll: () => undefined },
    inOrder: (ids, work) => turns.run(ids, work),
    add: () => Promise.reject(new Error("Nothing is added.")),
    update: async ({ id }) => {
      sent.push("restore");
      await Promise.resolve();
      return { stock: stockOf({ id }) };
    },
    remove: async () => {
      sent.push("remove");
      resolve();
    },
  });
  actions.restore(STOCKS);
  actions.remove(STOCKS);
  await removed;
  expect(sent).toEqual([...STOCKS.map(() => "restore"), "remove"]);
});

it("a stock whose deletion is undone before its answer is there again", async () => {
  vi.stubGlobal("document", { hidden: true, addEventListener: () => undefined });
  onTestFinished(() => void vi.unstubAllGlobals());
  const [turns, stock] = [new KeyedMutex(), stockOf()];
  const client = new QueryClient();
  client.setQueryData(STOCK_LIST_KEY, { items: [stock], isComplete: true });
  const store = new StockStore(client, () => undefined);
  const [mayAnswer, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const actions = bindStockActions({
    show: (overlay) => store.show(overlay),
    begin: () => beginWrite(store),
    refreshTrash: () => isOver.resolve(),
    refreshAll: () => undefined,
    inOrder: (ids, work) => turns.run(ids, work),
    add: () => Promise.reject(new Error("Nothing is added.")),
    update: async () => ({ stock }),
    remove: async () => {
      await mayAnswer.promise;
      store.apply({ stocks: [], deleted: [stock.id] });
    },
  });
  actions.remove([stock]);
  actions.restore([stock]);
  mayAnswer.resolve();
  await isOver.promise;
  await turns.run([stock.id], () => Promise.resolve());
  expect(client.getQueryData<StockList>(STOCK_LIST_KEY)?.items).toEqual([stock]);
});

it("a stock that is deleted elsewhere while others are still being restored stays deleted, in all tabs", async () => {
  // Sums are not read in a hidden tab.
  vi.stubGlobal("document", { hidden: true, addEventListener: () => undefined });
  onTestFinished(() => void vi.unstubAllGlobals());
  const [first, second] = [stockOf(), stockOf({ id: "0193f5c0-0000-7000-8000-000000000002" })];
  const client = new QueryClient();
  client.setQueryData(STOCK_LIST_KEY, { items: [], isComplete: true });
  const told: ChangedStocks[] = [];
  const store = new StockStore(client, (change) => told.push(change));
  const [isAnswered, mayAnswer, isOver] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const actions = bindStockActions({
    show: (overlay) => store.show(overlay),
    begin: () => beginWrite(store),
    refreshTrash: () => isOver.resolve(),
    refreshAll: () => undefined,
    inOrder: (_, work) => work(),
    add: () => Promise.reject(new Error("Nothing is added.")),
    update: async ({ id }) => {
      if (id === first.id) isAnswered.resolve();
      else await mayAnswer.promise;
      return { stock: id === first.id ? first : second };
    },
    remove: () => Promise.reject(new Error("Nothing is removed.")),
  });
  actions.restore([first, second]);
  await isAnswered.promise;
  store.receive({ stocks: [], deleted: [first.id] });
  mayAnswer.resolve();
  await isOver.promise;
  expect(client.getQueryData<StockList>(STOCK_LIST_KEY)?.items).toEqual([second]);
  expect(told).toEqual([{ stocks: [second], deleted: [] }]);
});

it("what has failed of a deletion that was undone is not offered to be deleted again", async () => {
  const [turns, many] = [new KeyedMutex(), Array.from({ length: 150 }, () => stockOf({ id: crypto.randomUUID() }))];
  const [mayFail, restored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const removals: number[] = [];
  let restorings = 0;
  const actions = bindStockActions({
    ...{ show: () => () => undefined, begin: () => () => undefined },
    ...{ refreshTrash: () => undefined, refreshAll: () => undefined },
    inOrder: (ids, work) => turns.run(ids, work),
    add: () => Promise.reject(new Error("Nothing is added.")),
    update: async ({ id }) => {
      restorings += 1;
      if (restorings === many.length) restored.resolve();
      return { stock: stockOf({ id }) };
    },
    remove: async ({ length }) => {
      removals.push(length);
      await mayFail.promise;
      if (length === 50) throw new ApiError(500, "Something went wrong.");
    },
  });
  actions.remove(many);
  pressInToasts("Undo");
  mayFail.resolve();
  await restored.promise;
  pressInToasts("Try again");
  await turns.settled();
  expect(removals).toEqual([100, 50]);
});
