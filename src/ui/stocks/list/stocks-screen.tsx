import { IconFileImport, IconPlus } from "@tabler/icons-preact";
import { useEffect } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { ApiError, isUnreachable } from "../../api/api-error.ts";
import { useWhenReachable } from "../../api/use-when-reachable.ts";
import { formatDecimal, LOCALE } from "../../format/format-number.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { DialogBoundary, ErrorBoundary as PartBoundary } from "../../parts/error-screen.tsx";
import { lazy, useFetchAhead } from "../../parts/lazy.ts";
import { ScreenTitle } from "../../parts/screen-title.tsx";
import { pressInToasts } from "../../parts/toasts.tsx";
import { useShortcuts } from "../../parts/use-shortcuts.ts";
import { selection } from "../../state/selection.ts";
import { useStockList } from "../store/use-stock-list.ts";
import { EmptyStart } from "./lazy-list-extras.ts";
import { ListBody } from "./list-body.tsx";

const StockDialogs = lazy(async () => (await import("../form/stock-dialogs.tsx")).StockDialogs);
const ImportDialog = lazy(async () => (await import("../import/import-dialog.tsx")).ImportDialog);
const FiltersDialog = lazy(async () => (await import("./filters-dialog.tsx")).FiltersDialog);
const TotalsDialog = lazy(async () => (await import("./totals/totals-dialog.tsx")).TotalsDialog);
const HelpDialog = lazy(async () => (await import("../../parts/help-dialog.tsx")).HelpDialog);

/** When the most used dialogs are fetched, in ms after the first paint. */
const FETCH_AHEAD_MS = 1_500;

/**
 * The dialogs that the address names. Each loads when it is needed, or ahead of time when the page is idle. `stocks` are all of
 * the person's, for the filters to choose from.
 */
const PlaceDialogs = ({ stocks }: { readonly stocks: readonly Stock[] }) => {
  const { place, closeDialog } = useStocksPlace();
  const { dialog } = place;
  useFetchAhead(() => void StockDialogs.preload(), FETCH_AHEAD_MS);
  return (
    <DialogBoundary key={dialog === "edit" ? "detail" : dialog} onClose={closeDialog}>
      {(dialog === "detail" || dialog === "add" || dialog === "edit") && <StockDialogs />}
      {dialog === "import" && <ImportDialog onClose={closeDialog} />}
      {dialog === "filters" && <FiltersDialog stocks={stocks} onClose={closeDialog} />}
      {dialog === "totals" && <TotalsDialog onClose={closeDialog} />}
      {dialog === "help" && <HelpDialog onClose={closeDialog} />}
    </DialogBoundary>
  );
};

type ListErrorProps = { readonly error: Error; readonly onRetry: () => void };

/** Shows the request's id, so that it can be found in the server's log. */
const ListError = ({ error, onRetry }: ListErrorProps) => (
  <div role="alert">
    <EmptyState
      title="Your stocks could not be loaded"
      actions={
        <Button tone="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {error.message}
      {error instanceof ApiError && error.requestId !== undefined && (
        <>
          <br />
          Request <code>{error.requestId}</code>
        </>
      )}
    </EmptyState>
  </div>
);

/** `count` is of all stocks; undefined while they load. On a phone the buttons show only their icons. */
const ListHeader = ({ count }: { readonly count: number | undefined }) => {
  const { go } = useStocksPlace();
  return (
    <div class="list-header">
      <ScreenTitle title="Stocks">
        {count !== undefined && <span>{formatDecimal(String(count), LOCALE)}</span>}
      </ScreenTitle>
      <Button icon={IconFileImport} class="roomy" aria-label="Import" onClick={() => go({ dialog: "import" })}>
        <span>Import</span>
      </Button>
      <Button tone="primary" icon={IconPlus} class="roomy" aria-label="Add stock" onClick={() => go({ dialog: "add" })}>
        <span>Add stock</span>
      </Button>
    </div>
  );
};

const TrashList = lazy(async () => (await import("../trash/trash-list.tsx")).TrashList);

const NO_STOCKS: readonly Stock[] = [];

/** `/stocks`: the list or the trash, and the dialogs over them. */
export const StocksScreen = () => {
  const { list, error, retry } = useStockList();
  const { place, go } = useStocksPlace();
  useEffect(() => () => selection.set([]), []);
  useWhenReachable(isUnreachable(error), retry);
  useShortcuts({
    n: () => go({ dialog: "add" }),
    z: () => pressInToasts("Undo"),
    "?": () => go({ dialog: "help" }),
  });
  const body = () => {
    if (list === undefined && error !== null) return <ListError error={error} onRetry={retry} />;
    if (list?.isComplete && list.items.length === 0) {
      // Its own boundary: when a delete of the last stock fails, the list comes back and must not stay broken.
      return (
        <PartBoundary>
          <EmptyStart />
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
        <div class="list-pane">
          <ListHeader count={list?.items.length} />
          <ErrorBoundary>{body()}</ErrorBoundary>
        </div>
      )}
      <PlaceDialogs stocks={list?.items ?? NO_STOCKS} />
    </div>
  );
};
