/** Deleted stocks, each with the way back. */
import { IconArrowBackUp, IconArrowLeft } from "@tabler/icons-preact";
import { useRef } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ScreenTitle } from "../../shell/screen-title.tsx";
import { useStockActions } from "../use-stock-actions.ts";
import { useStockList } from "../use-stock-list.ts";
import { useTrash } from "./use-trash.ts";

/** The trash in place of the list. */
export const TrashList = () => {
  const { go } = useStocksPlace();
  const { list } = useStockList();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useTrash();
  const section = useRef<HTMLElement>(null);
  const actions = useStockActions();
  const listed = new Set(list?.items.map(({ id }) => id));
  // What is on its way back stands in the list already; should that fail, it is here again.
  const stocks = data?.pages.flatMap(({ items }) => items).filter(({ id }) => !listed.has(id));
  const restore = (stock: Stock): void => {
    // Its row goes, and the focus with it.
    section.current?.querySelector("h1")?.focus();
    actions.restore([stock]);
  };
  return (
    <section class="trash" ref={section}>
      <header>
        <Button tone="ghost" icon={IconArrowLeft} onClick={() => go({ isTrash: false })}>
          Back to the list
        </Button>
        <ScreenTitle title="Trash" />
        <p class="muted">Deleted stocks stay here for 30 days, then they are gone for good.</p>
      </header>
      {!stocks && !error && <TrashSkeleton />}
      {!stocks && error && (
        <EmptyState
          title="The trash could not be loaded"
          actions={
            <Button tone="primary" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {error.message}
        </EmptyState>
      )}
      {stocks?.length === 0 && !hasNextPage && (
        <EmptyState title="The trash is empty">What you delete can be restored from here.</EmptyState>
      )}
      <ul>
        {stocks?.map((stock) => (
          <TrashRow key={stock.id} stock={stock} onRestore={() => restore(stock)} />
        ))}
      </ul>
      {hasNextPage && (
        <Button aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading…" : "Show more"}
        </Button>
      )}
    </section>
  );
};

const TrashRow = ({ stock, onRestore }: { readonly stock: Stock; readonly onRestore: () => void }) => {
  const at = formatRelativeTime(stock.deletedAt, new Date(), navigator.language);
  return (
    <li class="trash-row">
      <div>
        <strong>{stock.symbol}</strong> {stock.name !== stock.symbol && <bdi>{stock.name}</bdi>}
        <p class="muted">
          Deleted <time dateTime={at.iso ?? undefined}>{at.text}</time>
        </p>
      </div>
      <Button icon={IconArrowBackUp} aria-label={`Restore ${stock.symbol}`} onClick={onRestore}>
        Restore
      </Button>
    </li>
  );
};

const TrashSkeleton = () => (
  <div class="trash-loading" aria-hidden="true">
    <div class="skeleton" />
    <div class="skeleton" />
    <div class="skeleton" />
  </div>
);
