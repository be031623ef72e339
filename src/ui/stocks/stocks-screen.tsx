/** `/stocks`: the list with everything around it. */
import { useEffect } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import type { Stock } from "../../contract/stock.ts";
import { useStocksPlace } from "../navigation/use-stocks-place.ts";
import { lazy } from "../parts/lazy.ts";
import { pressInToasts } from "../parts/toasts.tsx";
import { ErrorBoundary as PartBoundary } from "../shell/error-screen.tsx";
import { useShortcuts } from "../shell/use-shortcuts.ts";
import { FirstRun } from "./list/lazy-list-extras.ts";
import { ListBody } from "./list/list-body.tsx";
import { ListError } from "./list/list-error.tsx";
import { ListHeader } from "./list/list-header.tsx";
import { PlaceDialogs } from "./list/place-dialogs.tsx";
import { selection } from "./selection.ts";
import { useStockList } from "./use-stock-list.ts";

const TrashList = lazy(async () => (await import("./trash/trash-list.tsx")).TrashList);

const NO_STOCKS: readonly Stock[] = [];

/** The stocks, or the trash, and the dialogs over them. */
export const StocksScreen = () => {
  const { list, error, isFetching, retry } = useStockList();
  const { place, go } = useStocksPlace();
  useEffect(() => () => selection.set([]), []);
  useShortcuts({
    n: () => go({ dialog: "add" }),
    z: () => pressInToasts("Undo"),
    "?": () => go({ dialog: "help" }),
  });
  const body = () => {
    if (list === undefined && error !== null) return <ListError error={error} isTrying={isFetching} onRetry={retry} />;
    if (list?.isComplete && list.items.length === 0) {
      // The last stock may come back, when its delete fails: what broke meanwhile goes away with the empty list.
      return (
        <PartBoundary>
          <FirstRun />
        </PartBoundary>
      );
    }
    return <ListBody list={list} error={error} onRetry={retry} />;
  };
  return (
    <div class="stocks">
      {place.isTrash ? (
        <ErrorBoundary>
          <TrashList />
        </ErrorBoundary>
      ) : (
        <>
          <ListHeader count={list?.items.length} />
          <ErrorBoundary>{body()}</ErrorBoundary>
        </>
      )}
      <PlaceDialogs stocks={list?.items ?? NO_STOCKS} />
    </div>
  );
};
