import { useQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useStore } from "../../state/store.ts";
import { STOCK_LIST_KEY, type StockList, useStockStore } from "./stock-store.ts";

/** `list` is undefined until the first page has loaded. `error` is from the last read; an older list stays available beside it. */
type StockListState = {
  readonly list: StockList | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
};

const NO_STOCKS: readonly Stock[] = [];

/** All of the person's stocks outside the trash, with unconfirmed changes applied, in no particular order. */
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
