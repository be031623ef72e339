/** Shows everything about a stock, with buttons to edit, watch and delete it. */
import { IconPencil, IconStar, IconStarFilled, IconTrash } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import type { StockEventView } from "../../../contract/stocks/get-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBoundary } from "../../parts/error-screen.tsx";
import { lazy } from "../../parts/lazy.ts";
import { useStockActions } from "../store/use-stock-actions.ts";
import { UnknownStock, useOpenStock } from "./open-stock.tsx";
import { StockFacts } from "./stock-facts.tsx";
import { StockHistory } from "./stock-history.tsx";

export const DetailDialog = ({ id }: { readonly id: string }) => {
  const { closeDialog } = useStocksPlace();
  const actions = useStockActions();
  const { stock, events, isMissing, error, retry } = useOpenStock(id);
  // Keeps showing the stock while the dialog closes.
  const [removed, setRemoved] = useState<Stock>();
  const shown = removed ?? stock;
  const remove = (gone: Stock): void => {
    setRemoved(gone);
    closeDialog();
    actions.remove([gone]);
  };
  if (shown) {
    return <Detail stock={shown} events={events} error={error} onRetry={retry} onRemove={() => remove(shown)} />;
  }
  return <UnknownStock isMissing={isMissing} error={error} onRetry={retry} onClose={closeDialog} />;
};

const StockChart = lazy(async () => (await import("../chart/stock-chart.tsx")).StockChart);

type DetailProps = {
  readonly stock: Stock;
  readonly events: readonly StockEventView[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
};

const Detail = ({ stock, events, error, onRetry, onRemove }: DetailProps) => {
  const { go, closeDialog } = useStocksPlace();
  const actions = useStockActions();
  const { symbol, watched } = stock;
  return (
    <Dialog
      title={
        <>
          {symbol} {stock.exchange && <Badge>{stock.exchange}</Badge>}
        </>
      }
      isTall
      onClose={closeDialog}
      footer={
        <>
          <Button class="start" tone="ghost" icon={IconTrash} onClick={onRemove}>
            Delete
          </Button>
          <Button
            icon={watched ? IconStarFilled : IconStar}
            aria-pressed={watched}
            onClick={() => actions.setWatched([stock], !watched)}
          >
            Watch
          </Button>
          <Button tone="primary" icon={IconPencil} onClick={() => go({ dialog: "edit", stockId: stock.id })}>
            Edit
          </Button>
        </>
      }
    >
      <StockFacts stock={stock}>
        {stock.instrument !== null && (
          <ErrorBoundary>
            <StockChart stock={stock} />
          </ErrorBoundary>
        )}
      </StockFacts>
      <StockHistory stock={stock} events={events} error={error} onRetry={onRetry} />
    </Dialog>
  );
};
