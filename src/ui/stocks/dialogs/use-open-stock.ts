/** The stock that a dialog is about: from the list at once, with its history from the server. */
import { useEffect, useRef } from "preact/hooks";
import type { StockEventView } from "../../../contract/get-stock.ts";
import type { Stock } from "../../../contract/stock.ts";
import { useActionQuery } from "../../actions/use-action-query.ts";
import { isGone } from "../stock-failures.ts";
import { useStockStore } from "../stock-store-context.ts";
import { useStockList } from "../use-stock-list.ts";

/** `isMissing`: not in the list, by what the server says. `events` are undefined until they are here. */
type OpenStock = {
  readonly stock: Stock | undefined;
  readonly events: readonly StockEventView[] | undefined;
  readonly isMissing: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
};

/** Follows the stock while it is shown. */
export const useOpenStock = (id: string): OpenStock => {
  const store = useStockStore();
  const { list } = useStockList();
  const { data, error, isFetching, refetch } = useActionQuery("get-stock", { id });
  const listed = list?.items.find((stock) => stock.id === id);
  const read = data?.stock;
  useEffect(() => {
    if (!listed || !read) return;
    // Whichever side knows more tells the other. A list that is newer has a history that is not read yet.
    if (read.version > listed.version) store.apply({ stocks: [read], deleted: [] });
    if (read.version < listed.version) void refetch();
  }, [store, listed, read, refetch]);
  // One that has left the list while it is shown was deleted, by the agent or on another screen.
  const wasListed = useRef(false);
  if (listed) wasListed.current = true;
  const hasLeft = wasListed.current && !listed && list?.isComplete === true;
  const isMissing = hasLeft || (isGone(error) && !isFetching);
  const newest = listed && (!read || listed.version >= read.version) ? listed : read;
  return {
    stock: isMissing ? undefined : newest,
    events: data?.events,
    isMissing,
    error,
    retry: () => void refetch(),
  };
};
