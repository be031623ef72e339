/** What a person does to stocks by hand: shown at once, sent in order, taken back with a note when it fails. */
import { useQueryClient } from "@tanstack/preact-query";
import { useMemo, useRef } from "preact/hooks";
import { useActionMutation } from "../actions/use-action-mutation.ts";
import { bindStockActions, type StockActions, type StockWrites } from "./bind-stock-actions.ts";
import { inTurn } from "./in-turn.ts";
import { isGone } from "./stock-failures.ts";
import { useStockStore } from "./stock-store-context.ts";
import { TRASH_KEY } from "./trash/trash-key.ts";

/** The actions: always the same object, good also after the component is gone (for "Undo" in a note). */
export const useStockActions = (): StockActions => {
  const store = useStockStore();
  const client = useQueryClient();
  const add = useActionMutation("add-stock", {
    onDone: (answer) => {
      if ("stock" in answer) store.apply({ stocks: [answer.stock], deleted: [] });
    },
  });
  const update = useActionMutation("update-stock", { refreshes: ["get-stock"] });
  const remove = useActionMutation("delete-stock", {
    // All that were named, not only those the answer names: one that the server does not know is not in the list either.
    onDone: (_answer, { ids = [] }) => store.apply({ stocks: [], deleted: ids }),
  });
  const writes: StockWrites = {
    show: (overlay) => store.show(overlay),
    apply: (stocks) => store.apply({ stocks, deleted: [] }),
    refreshTrash: () => void client.invalidateQueries({ queryKey: TRASH_KEY }),
    add: add.mutateAsync,
    update: (input) =>
      inTurn([input.id], async () => {
        try {
          return await update.mutateAsync(input);
        } catch (error) {
          if (isGone(error)) store.apply({ stocks: [], deleted: [input.id] });
          throw error;
        }
      }),
    remove: (ids) => inTurn(ids, () => remove.mutateAsync({ ids: [...ids] })),
  };
  const latest = useRef(writes);
  latest.current = writes;
  return useMemo(() => bindStockActions(() => latest.current), []);
};
