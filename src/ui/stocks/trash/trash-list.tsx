import { IconArrowBackUp, IconArrowLeft } from "@tabler/icons-preact";
import { useInfiniteQuery } from "@tanstack/preact-query";
import { useRef } from "preact/hooks";
import type { ActionOutput } from "../../../contract/action.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { readAction } from "../../api/read-action.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { ScreenTitle } from "../../parts/screen-title.tsx";
import { TRASH_KEY, useStockActions } from "../store/use-stock-actions.ts";
import { useStockList } from "../store/use-stock-list.ts";
import trashStyles from "./trash.css";

/** Stocks per page. */
const PAGE_SIZE = 50;

type Page = ActionOutput<"list-stocks">;

/** Loads deleted stocks, the last deleted first. */
const useTrash = () =>
  useInfiniteQuery<Page, Error, { pages: Page[] }, typeof TRASH_KEY, string | null>({
    queryKey: TRASH_KEY,
    queryFn: ({ signal, pageParam }) =>
      readAction(
        "list-stocks",
        {
          deleted: true,
          sort: "updatedAt",
          order: "desc",
          limit: PAGE_SIZE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Other tabs and the agent move stocks here too, without telling this page.
    staleTime: 0,
  });

/** The trash, shown instead of the list. Each stock can be restored. */
export const TrashList = () => {
  adoptStyles(trashStyles);
  const { go } = useStocksPlace();
  const { list } = useStockList();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = useTrash();
  const section = useRef<HTMLElement>(null);
  const actions = useStockActions();
  const listed = new Set(list?.items.map(({ id }) => id));
  // A stock being restored is in the list already. If that fails, it shows up here again.
  const stocks = data?.pages.flatMap(({ items }) => items).filter(({ id }) => !listed.has(id));
  const restore = (stock: Stock): void => {
    // Its row disappears, and would take the focus with it.
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
        <p class="muted">Deleted stocks stay here for 30 days, then they are permanently deleted.</p>
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
      {isFetchNextPageError && (
        <p class="problem" role="alert">
          {error.message}
        </p>
      )}
      {hasNextPage && (
        <Button aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading…" : "Show more"}
        </Button>
      )}
    </section>
  );
};

const TrashRow = ({ stock, onRestore }: { readonly stock: Stock; readonly onRestore: () => void }) => {
  const at = formatRelativeTime(stock.deletedAt, new Date(), WORDS_LOCALE);
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
