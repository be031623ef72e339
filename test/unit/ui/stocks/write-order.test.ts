/** What a person presses follows one another on the server, however fast: many stocks restored, then removed. */
import { expect, it } from "vitest";
import { KeyedMutex } from "../../../../src/contract/keyed-mutex.ts";
import { bindStockActions } from "../../../../src/ui/stocks/store/bind-stock-actions.ts";
import { stockOf } from "./form/stock-of.ts";

/** More than are sent at once. */
const STOCKS = Array.from({ length: 12 }, (_, nth) => stockOf({ id: `0193f5c0-0000-7000-8000-0000000000${nth + 10}` }));

it("a removal comes after all of the restoring that was pressed before it", async () => {
  const turns = new KeyedMutex();
  const sent: string[] = [];
  const { promise: removed, resolve } = Promise.withResolvers<void>();
  const actions = bindStockActions({
    ...{ show: () => () => undefined, apply: () => undefined, refreshTrash: () => undefined },
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
