/** The dialogs that the address asks for. Each loads when it is needed, or when the page has nothing else to do. */
import type { Stock } from "../../../contract/stock.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { lazy } from "../../parts/lazy.ts";
import { useFetchAhead } from "../../parts/use-fetch-ahead.ts";
import { DialogBoundary } from "../../shell/dialog-boundary.tsx";

const StockDialogs = lazy(async () => (await import("../dialogs/stock-dialogs.tsx")).StockDialogs);
const ImportDialog = lazy(async () => (await import("../import/import-dialog.tsx")).ImportDialog);
const FiltersDialog = lazy(async () => (await import("../filters/filters-dialog.tsx")).FiltersDialog);
const HelpDialog = lazy(async () => (await import("../../shell/help-dialog.tsx")).HelpDialog);

/** How long after the first paint the most used ones are fetched, in ms. */
const FETCH_AHEAD_MS = 1_500;

/** Over the list. `stocks` are all of them, for the filters to choose from. */
export const PlaceDialogs = ({ stocks }: { readonly stocks: readonly Stock[] }) => {
  const { place, go, closeDialog } = useStocksPlace();
  const { dialog } = place;
  useFetchAhead(() => void StockDialogs.preload(), FETCH_AHEAD_MS);
  // A step back, as other dialogs close, would take the filters back as well.
  const keepFilters = (): void => go({ dialog: undefined }, { replace: true });
  return (
    <DialogBoundary key={dialog} onClose={closeDialog}>
      {(dialog === "detail" || dialog === "add" || dialog === "edit") && <StockDialogs />}
      {dialog === "import" && <ImportDialog onClose={closeDialog} />}
      {dialog === "filters" && <FiltersDialog stocks={stocks} onClose={keepFilters} />}
      {dialog === "help" && <HelpDialog onClose={closeDialog} />}
    </DialogBoundary>
  );
};
