/** All that is known about a stock, and what can be done with it. */
import { IconPencil, IconStar, IconStarFilled, IconTrash } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import type { StockEventView } from "../../../contract/get-stock.ts";
import type { Stock } from "../../../contract/stock.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { useStockActions } from "../use-stock-actions.ts";
import { StockFacts } from "./stock-facts.tsx";
import { StockHistory } from "./stock-history.tsx";
import { UnknownStock } from "./unknown-stock.tsx";
import { useOpenStock } from "./use-open-stock.ts";

/** A sheet on a phone. */
export const DetailDialog = ({ id }: { readonly id: string }) => {
  const { closeDialog } = useStocksPlace();
  const actions = useStockActions();
  const { stock, events, isMissing, error, retry } = useOpenStock(id);
  // It stays as it was for the moment that the dialog takes to go.
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
      <StockFacts stock={stock} />
      <StockHistory stock={stock} events={events} error={error} onRetry={onRetry} />
    </Dialog>
  );
};
