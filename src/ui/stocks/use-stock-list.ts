/** The whole list in a component, with unconfirmed changes on top. */
import { useQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import type { Stock } from "../../contract/stock.ts";
import { useStore } from "../state/use-store.ts";
import { STOCK_LIST_KEY, type StockList } from "./stock-store.ts";
import { useStockStore } from "./stock-store-context.ts";

/** `list` is undefined until the first page is here. `error` is the last read's; an older list stays beside it. */
type StockListState = {
  readonly list: StockList | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
};

const NO_STOCKS: readonly Stock[] = [];

/** All live stocks of the person, in no order a screen may rely on. */
export const useStockList = (): StockListState => {
  const store = useStockStore();
  const { data, error, isFetching, refetch } = useQuery<StockList>({
    queryKey: STOCK_LIST_KEY,
    queryFn: ({ signal }) => store.readAll(signal),
  });
  const overlays = useStore(store.overlays);
  const items = useMemo(
    () => overlays.reduce((shown, overlay) => overlay(shown), data?.items ?? NO_STOCKS),
    [data?.items, overlays],
  );
  const list = useMemo(() => data && { ...data, items }, [data, items]);
  return { list, error, isFetching, retry: () => void refetch() };
};
