/** A dialog about a stock that is not here: on its way, gone, or not to be had. */
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";

type UnknownStockProps = {
  readonly isMissing: boolean;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly onClose: () => void;
};

/** Says which of the three it is, and where to go from there. */
export const UnknownStock = ({ isMissing, error, onRetry, onClose }: UnknownStockProps) => {
  const { go } = useStocksPlace();
  const openTrash = (): void => go({ isTrash: true, dialog: undefined, stockId: undefined }, { replace: true });
  if (isMissing) {
    return (
      <Dialog title="Stock not found" onClose={onClose}>
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
          It may have been deleted, or the link is somebody else's.
        </EmptyState>
      </Dialog>
    );
  }
  if (error) {
    return (
      <Dialog title="Stock" onClose={onClose}>
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
    <Dialog title="Loading…" onClose={onClose}>
      <div class="stock-loading" aria-hidden="true">
        <div class="skeleton" />
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    </Dialog>
  );
};
