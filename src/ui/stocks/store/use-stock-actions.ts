/**
 * What a person does to stocks by hand, sent in order. Watching, currency, deleting and restoring are shown at once, and taken back with a
 * toast if they fail.
 */
import { type QueryClient, useQueryClient } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { KeyedMutex } from "../../../contract/keyed-mutex.ts";
import { isGone } from "../../api/api-error.ts";
import { actionMutation } from "../../api/run-action.ts";
import { tick } from "../list/motion/may-move.ts";
import { beginWrite, bindStockActions, type StockActions } from "./bind-stock-actions.ts";
import { type StockStore, useStockStore } from "./stock-store.ts";

/** Parallel writes to one stock could arrive in the wrong order. Its keys are ids of stocks. */
const writes = new KeyedMutex();

/** Resolves once everything pressed so far has reached the server or failed. */
export const writesSettled = (): Promise<void> => writes.settled();

/** The last write pressed for a stock, until it has reached the server or failed. */
export const lastWrite = (id: string): Promise<unknown> | undefined => writes.last(id);

/** The trash's key in the cache, apart from the list's: refreshing one never reloads the other. */
export const TRASH_KEY = ["list-stocks", "trash"] as const;

/** The actions. They still work after the component is gone (for "Undo" in a toast). Components use `useStockActions`. */
export const makeStockActions = (client: QueryClient, store: StockStore): StockActions => {
  const add = actionMutation(client, "add-stock", {
    onDone: (answer) => {
      if ("stock" in answer) store.apply({ stocks: [answer.stock], deleted: [] });
    },
  });
  const update = actionMutation(client, "update-stock", { refreshes: ["get-stock"] });
  const remove = actionMutation(client, "delete-stock", {
    // All ids that were sent, not only those the answer names: a stock that the server does not know is not in the list either.
    onDone: (_answer, { ids = [] }) => store.apply({ stocks: [], deleted: ids }),
  });
  return bindStockActions({
    show: (overlay) => {
      tick();
      return store.show(overlay);
    },
    begin: () => beginWrite(store),
    refreshTrash: () => void client.invalidateQueries({ queryKey: TRASH_KEY }),
    refreshAll: () => void client.invalidateQueries({ queryKey: ["list-stocks"] }),
    add,
    inOrder: (ids, work) => writes.run(ids, work),
    update: async (input) => {
      try {
        return await update(input);
      } catch (error) {
        if (isGone(error)) store.apply({ stocks: [], deleted: [input.id] });
        throw error;
      }
    },
    remove: (ids) => remove({ ids: [...ids] }),
  });
};

/** The actions: always the same object. */
export const useStockActions = (): StockActions => {
  const client = useQueryClient();
  const store = useStockStore();
  return useMemo(() => makeStockActions(client, store), [client, store]);
};
