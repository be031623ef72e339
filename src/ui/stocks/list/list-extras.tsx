/** The small parts that the list does not need at first, in one file: each alone would be a request. The menus' entries are made here. */
import {
  IconArrowsSort,
  IconBaselineDensityLarge,
  IconCheck,
  IconDownload,
  IconEye,
  IconPencil,
  IconSparkles,
  IconStar,
  IconTrash,
} from "@tabler/icons-preact";
import { useEffect } from "preact/hooks";
import { formatCount } from "../../format/format-number.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { chooseCompact, compactRows } from "../../state/density.ts";
import { selection } from "../../state/selection.ts";
import { useStore } from "../../state/store.ts";
import { STOCK_LIST_KEY, type StockList, useStockStore } from "../store/stock-store.ts";
import { useStockList } from "../store/use-stock-list.ts";
import { tick } from "./motion/may-move.ts";
import { moveRows } from "./motion/move-rows.ts";
import { moveBetweenListAndStock } from "./motion/open-close.ts";
import type { RowProps } from "./row/row-props.ts";
import { foldAhead } from "./shown/fold-ahead.ts";
import { type ListSort, otherOrder } from "./shown/list-sorts.ts";

export { ExampleBar } from "../example/example-parts.tsx";
export { fetchSparks } from "../store/fetch-sparks.ts";
export { makeStockActions } from "../store/use-stock-actions.ts";
export { BulkBar } from "./bulk-bar.tsx";
export { EmptyStart, NoMatch } from "./empty-list.tsx";
export { PriceCredits } from "./price-credits.tsx";

// Starts the list's animations, and the folding that makes its search quick, soon after the first paint. They follow stores and the
// address, not components.
foldAhead();
moveBetweenListAndStock();
moveRows();
selection.subscribe(tick);

/** Says that the list could not be read again, or only in part, and offers to try again. */
export const StaleBanner = ({ onRetry }: { readonly onRetry: () => void }) => {
  // Not with `useStockList`: each new user of a failed query has it read again.
  const list = useStockStore().client.getQueryData<StockList>(STOCK_LIST_KEY);
  const words =
    list?.isComplete === false
      ? "Only part of the list could be loaded."
      : "The list could not be refreshed. It may be outdated.";
  useEffect(() => announce(words), [words]);
  return (
    <p class="banner">
      {words}
      <Button isSmall onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
};

type ListMenuEntriesProps = {
  readonly isSelecting: boolean;
  readonly onSelect: () => void;
  /** Whether the list shows cards, which have no column heads to sort by. */
  readonly isNarrow: boolean;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
};

/** The entries of the list's menu. Selecting is here because cards show no boxes at first. */
export const ListMenuEntries = ({ isSelecting, onSelect, isNarrow, sort, onSort }: ListMenuEntriesProps) => {
  const { go } = useStocksPlace();
  const isCompact = useStore(compactRows);
  const order = otherOrder(sort.order);
  return (
    <>
      {isNarrow && (
        <button type="button" onClick={() => onSort({ ...sort, order })}>
          <IconArrowsSort size={18} stroke={1.75} aria-hidden="true" />
          Sort {order === "asc" ? "ascending" : "descending"}
        </button>
      )}
      <button type="button" onClick={onSelect}>
        <IconCheck size={18} stroke={1.75} aria-hidden="true" />
        {isSelecting ? "Stop selecting" : "Select"}
      </button>
      <button type="button" aria-pressed={isCompact} onClick={() => chooseCompact(!isCompact)}>
        <IconBaselineDensityLarge size={18} stroke={1.75} aria-hidden="true" />
        Compact rows
      </button>
      <button type="button" onClick={() => go({ isTrash: true, dialog: undefined })}>
        <IconTrash size={18} stroke={1.75} aria-hidden="true" />
        Trash
      </button>
      <hr />
      <ExportEntries />
    </>
  );
};

/** The entries of a row's menu. */
export const RowMenuEntries = ({ stock, actions }: Pick<RowProps, "stock" | "actions">) => (
  <>
    <button type="button" onClick={() => actions.open(stock)}>
      <IconEye size={18} stroke={1.75} aria-hidden="true" />
      Open
    </button>
    <button type="button" onClick={() => actions.edit(stock)}>
      <IconPencil size={18} stroke={1.75} aria-hidden="true" />
      Edit
    </button>
    <button type="button" onClick={() => actions.toggleWatched(stock)}>
      <IconStar size={18} stroke={1.75} aria-hidden="true" />
      {stock.watched ? "Remove from watchlist" : "Watch"}
    </button>
    <button type="button" onClick={() => actions.askAbout(stock)}>
      <IconSparkles size={18} stroke={1.75} aria-hidden="true" />
      Ask the agent
    </button>
    <hr />
    <button type="button" class="danger" onClick={() => actions.remove(stock)}>
      <IconTrash size={18} stroke={1.75} aria-hidden="true" />
      Delete
    </button>
  </>
);

/** Exports all live stocks, whatever the list is filtered by. */
const ExportEntries = () => {
  const { list, error } = useStockList();
  const save = async (kind: "csv" | "json"): Promise<void> => {
    if (!list?.isComplete) {
      showToast({
        text:
          error === null
            ? "Your stocks are still loading. Export again in a moment."
            : "Only part of the list could be loaded. Load the rest of it, then export again.",
      });
      return;
    }
    try {
      const { saveExport } = await import("../export/save-export.ts");
      const isSaved = await saveExport(list.items, kind, new Date());
      if (isSaved) announce(`${formatCount(list.items.length, "stock", "stocks", "en")} exported`);
    } catch {
      // Most likely the code could not be loaded.
      showToast({ text: "The export could not be loaded. Check your connection and try again.", tone: "bad" });
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save("csv")}>
        <IconDownload size={18} stroke={1.75} aria-hidden="true" />
        Export as CSV
      </button>
      <button type="button" onClick={() => void save("json")}>
        <IconDownload size={18} stroke={1.75} aria-hidden="true" />
        Export as JSON
      </button>
    </>
  );
};
