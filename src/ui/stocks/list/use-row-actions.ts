/** The row actions, over the place, the writes and the selection. */
import { useMemo } from "preact/hooks";
import { askAgent } from "../../agent/ask-agent.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { selection } from "../selection.ts";
import { useStockActions } from "../use-stock-actions.ts";
import type { RowActions } from "./row-actions.ts";

/** The same object for as long as the list is there. */
export const useRowActions = (): RowActions => {
  const { go } = useStocksPlace();
  const { setWatched, remove } = useStockActions();
  return useMemo(
    () => ({
      open: ({ id }) => go({ dialog: "detail", stockId: id }),
      edit: ({ id }) => go({ dialog: "edit", stockId: id }),
      toggleWatched: (stock) => setWatched([stock], !stock.watched),
      toggleSelected: ({ id }) => {
        const ids = selection.get();
        selection.set(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
      },
      remove: (stock) => remove([stock]),
      askAbout: ({ symbol, name }) => askAgent(`About ${symbol}${name === symbol ? "" : ` (${name})`}: `),
    }),
    [go, setWatched, remove],
  );
};
