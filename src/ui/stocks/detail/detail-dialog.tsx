/** Shows everything about a stock, with buttons to edit, watch and delete it. */
import {
  IconChevronLeft,
  IconChevronRight,
  IconPencil,
  IconSparkles,
  IconStar,
  IconStarFilled,
  IconTrash,
} from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { StockEventView } from "../../../contract/stocks/get-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBoundary } from "../../parts/error-screen.tsx";
import { lazy } from "../../parts/lazy.ts";
import { askAbout } from "../../state/agent-panel.ts";
import { useStockActions } from "../store/use-stock-actions.ts";
import { UnknownStock, useOpenStock } from "./open-stock.tsx";
import { StockFacts } from "./stock-facts.tsx";
import { StockHistory } from "./stock-history.tsx";
import { useNeighbours } from "./use-neighbours.ts";

type DetailDialogProps = {
  readonly id: string;
  /** Whether the stock is beside the list, which stays usable. Otherwise it is over the list. */
  readonly isBeside: boolean;
};

export const DetailDialog = ({ id, isBeside }: DetailDialogProps) => {
  const { closeDialog } = useStocksPlace();
  const actions = useStockActions();
  const { stock, events, isMissing, error, retry } = useOpenStock(id);
  const neighbours = useNeighbours(id, isBeside);
  // Keeps showing the stock while the dialog closes.
  const [removed, setRemoved] = useState<Stock>();
  const shown = removed?.id === id ? removed : stock;
  const remove = (gone: Stock): void => {
    setRemoved(gone);
    closeDialog();
    actions.remove([gone]);
  };
  if (shown) {
    return (
      <Detail
        stock={shown}
        events={events}
        error={error}
        isBeside={isBeside}
        tools={<Neighbours {...neighbours} />}
        onRetry={retry}
        onRemove={() => remove(shown)}
      />
    );
  }
  return (
    <UnknownStock
      isMissing={isMissing}
      error={error}
      side={isBeside ? "beside" : "sheet"}
      onRetry={retry}
      onClose={closeDialog}
    />
  );
};

const Neighbours = ({ previous, next, show }: ReturnType<typeof useNeighbours>) => (
  <>
    <Button
      tone="ghost"
      icon={IconChevronLeft}
      label={previous ? `Previous: ${previous.symbol}` : "Previous"}
      aria-disabled={!previous}
      onClick={() => previous && show(previous)}
    />
    <Button
      tone="ghost"
      icon={IconChevronRight}
      label={next ? `Next: ${next.symbol}` : "Next"}
      aria-disabled={!next}
      onClick={() => next && show(next)}
    />
  </>
);

const StockChart = lazy(async () => (await import("../chart/stock-chart.tsx")).StockChart);

/**
 * Where the focus goes when a stock closes: to what opened it, or to the row of the stock that `Next` led to. A list that has turned
 * into cards no longer has the element that opened it, but it has another for the same stock.
 */
const homeOf = (id: string, opener: HTMLElement | undefined): HTMLElement | null | undefined => {
  const from = opener?.closest<HTMLElement>("[data-id]");
  if (opener && (!from || from.dataset.id === id)) return opener;
  return (
    document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] .open`) ??
    opener ??
    document.querySelector<HTMLElement>(".stock-list .open[tabindex='0']")
  );
};

/** How many lines the chart has besides the one of the closes. */
const levelCount = ({ targetLow, targetHigh, avgCost }: Stock): number =>
  [targetLow, targetHigh, avgCost].filter((level) => level !== null).length;

type DetailProps = {
  readonly stock: Stock;
  readonly events: readonly StockEventView[] | undefined;
  readonly error: Error | null;
  readonly isBeside: boolean;
  readonly tools: ComponentChildren;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
};

const Detail = ({ stock, events, error, isBeside, tools, onRetry, onRemove }: DetailProps) => {
  const { go, closeDialog } = useStocksPlace();
  const actions = useStockActions();
  const { id, symbol, watched } = stock;
  const asked = useRef<Stock>();
  const ask = (): void => {
    if (isBeside) askAbout(stock);
    else {
      asked.current = stock;
      closeDialog();
    }
  };
  // Over the list, this sheet has to be gone before the agent is asked: it traps the focus, and the agent's sheet adds a step to the
  // history, which must not come before the step back that closes this sheet.
  useEffect(() => () => void (asked.current && askAbout(asked.current)), []);
  return (
    <Dialog
      title={
        <>
          <span class="stock-symbol">{symbol}</span> {stock.exchange && <Badge>{stock.exchange}</Badge>}
        </>
      }
      isTall
      side={isBeside ? "beside" : "sheet"}
      home={(opener) => homeOf(id, opener)}
      tools={tools}
      onClose={closeDialog}
      footer={
        <>
          <Button class="start" tone="ghost" icon={IconTrash} label="Delete" onClick={onRemove} />
          <Button icon={IconSparkles} label="Ask the agent" onClick={ask} />
          <Button
            icon={watched ? IconStarFilled : IconStar}
            aria-pressed={watched}
            onClick={() => actions.setWatched([stock], !watched)}
          >
            {watched ? "Watching" : "Watch"}
          </Button>
          <Button tone="primary" icon={IconPencil} onClick={() => go({ dialog: "edit", stockId: stock.id })}>
            Edit
          </Button>
        </>
      }
    >
      <StockFacts key={id} stock={stock}>
        {stock.instrument !== null && (
          <div class="chart-room" style={{ "--levels": levelCount(stock) }}>
            <ErrorBoundary>
              <StockChart stock={stock} />
            </ErrorBoundary>
          </div>
        )}
      </StockFacts>
      <StockHistory key={`${id} history`} stock={stock} events={events} error={error} onRetry={onRetry} />
    </Dialog>
  );
};
