/** The tab's stock store, for every component below the app. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { StockStore } from "./stock-store.ts";

export const StockStoreContext = createContext<StockStore | undefined>(undefined);

/**
 * The tab's stock store.
 *
 * @throws {Error} outside of the app, which is a mistake in the tree.
 */
export const useStockStore = (): StockStore => {
  const store = useContext(StockStoreContext);
  if (store === undefined) throw new Error("useStockStore is used outside of the app.");
  return store;
};
