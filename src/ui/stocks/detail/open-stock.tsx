/** Loads the stock that a dialog is about, and shows a dialog while it is loading or when it cannot be shown. */
import { useEffect, useRef } from "preact/hooks";
import type { StockEventView } from "../../../contract/stocks/get-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { isGone } from "../../api/api-error.ts";
import { useActionQuery } from "../../api/use-action-query.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { isOlder } from "../store/changed-stocks.ts";
import { useStockStore } from "../store/stock-store.ts";
import { useStockList } from "../store/use-stock-list.ts";

type UnknownStockProps = {
  readonly isMissing: boolean;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly onClose: () => void;
  /** As for `Dialog`. */
  readonly side?: "beside" | "sheet";
};

/** Says whether the stock is missing, failed to load or is still loading, and what to do. */
export const UnknownStock = ({ isMissing, error, onRetry, onClose, side }: UnknownStockProps) => {
  const { go } = useStocksPlace();
  const place = side ? { side, isTall: true } : {};
  const openTrash = (): void => go({ isTrash: true, dialog: undefined, stockId: undefined }, { replace: true });
  if (isMissing) {
    return (
      <Dialog title="Stock not found" onClose={onClose} {...place}>
        <EmptyState
          title="This stock is not in your list"
          actions={
            <>
              <Button tone="primary" onClick={onClose}>
                Back to the list
              </Button>
              <Button onClick={openTrash}>Look in the trash</Button>
            </>
          }
        >
          It may have been deleted, or the link belongs to somebody else.
        </EmptyState>
      </Dialog>
    );
  }
  if (error) {
    return (
      <Dialog title="Stock" onClose={onClose} {...place}>
        <EmptyState
          title="The stock could not be loaded"
          actions={
            <Button tone="primary" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          {error.message}
        </EmptyState>
      </Dialog>
    );
  }
  return (
    <Dialog title="Loading…" onClose={onClose} {...place}>
      <div class="stock-loading" aria-hidden="true">
        <div class="skeleton" />
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    </Dialog>
  );
};

/** `isMissing`: the stock has left the list, or the server does not have it. `events` are undefined until they have loaded. */
type OpenStock = {
  readonly stock: Stock | undefined;
  readonly events: readonly StockEventView[] | undefined;
  readonly isMissing: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
};

/** Keeps the stock up to date while it is shown. */
export const useOpenStock = (id: string): OpenStock => {
  const store = useStockStore();
  const { list } = useStockList();
  const { data, error, isFetching, refetch } = useActionQuery("get-stock", { id });
  const listed = list?.items.find((stock) => stock.id === id);
  const read = data?.stock;
  useEffect(() => {
    if (!listed || !read) return;
    // The newer side updates the other. If the list is newer, the history has to be read again.
    if (isOlder(listed, read)) store.apply({ stocks: [read], deleted: [] });
    if (read.version < listed.version) void refetch();
  }, [store, listed, read, refetch]);
  // A stock that leaves the list while it is shown was deleted, by the agent or on another screen.
  const wasListed = useRef<string>();
  if (listed) wasListed.current = id;
  const hasLeft = wasListed.current === id && !listed && list?.isComplete === true;
  const isMissing = hasLeft || (isGone(error) && !isFetching);
  const newest = listed && !isOlder(listed, read) ? listed : read;
  return {
    stock: isMissing ? undefined : newest,
    events: data?.events,
    isMissing,
    error,
    retry: () => void refetch(),
  };
};
