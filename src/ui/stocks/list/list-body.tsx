/** Totals, tools and list, once there is something to show or while it is on its way. */
import { useRef } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { searchWords } from "../../../contract/fold-text.ts";
import type { Stock } from "../../../contract/stock.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { useFetchAhead } from "../../parts/use-fetch-ahead.ts";
import type { StockList as Stocks } from "../stock-store.ts";
import { BulkBar, fetchListExtras, NoMatch } from "./lazy-list-extras.ts";
import { ListSkeleton } from "./list-skeleton.tsx";
import { type ListSort, placedSort } from "./list-sorts.ts";
import { ListStatus } from "./list-status.tsx";
import { LIST_PANEL_ID, tabId } from "./list-tabs.tsx";
import { ListTools } from "./list-tools.tsx";
import { ListTotals } from "./list-totals.tsx";
import { countFilters, NO_FILTERS } from "./narrow-stocks.ts";
import { searchStocks } from "./search-stocks.ts";
import { SortChoice } from "./sort-choice.tsx";
import { StaleNote } from "./stale-note.tsx";
import { StockList } from "./stock-list.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";
import { useSearch } from "./use-search.ts";
import { useSelection } from "./use-selection.ts";
import { useShownStocks } from "./use-shown-stocks.ts";

/** How long after the first paint the parts are fetched that may be needed next. */
const FETCH_AHEAD_MS = 1_000;

const NO_STOCKS: readonly Stock[] = [];

type ListBodyProps = { readonly list: Stocks | undefined; readonly error: Error | null; readonly onRetry: () => void };

/** `list` is undefined while the first page loads. An `error` beside a list means that it may be old. */
export const ListBody = ({ list, error, onRetry }: ListBodyProps) => {
  const body = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow(body);
  const { place, go } = useStocksPlace();
  const search = useSearch();
  const { text } = search;
  const stocks = list?.items ?? NO_STOCKS;
  const { shown, filtered, onTab, counts, words, sort } = useShownStocks(stocks, place, text);
  const { selected, isSelecting, toggleSelecting, clear } = useSelection(shown);
  useFetchAhead(fetchListExtras, FETCH_AHEAD_MS);
  const isNarrowed = countFilters(place) > 0 || words.length > 0;
  const onSort = (next: ListSort): void => go({ sort: placedSort(next, place.tab) }, { replace: true });
  const onClear = (): void => search.show("", NO_FILTERS);
  const onEnter = (typed: string): void => {
    // The list may still be behind what was typed, so it is not asked what it shows.
    if (searchStocks(filtered, searchWords(typed)).length > 0) {
      search.show(typed);
      // Preact renders in a microtask: this one comes after it.
      queueMicrotask(() => body.current?.querySelector<HTMLElement>(".open[tabindex='0']")?.focus());
    } else if (typed.trim()) go({ dialog: "add", draft: typed.trim() });
  };
  return (
    <div ref={body} class={isNarrow ? "list-body narrow" : "list-body"}>
      {list ? (
        <ListTotals totals={list.totals} stocks={stocks} isComplete={list.isComplete} room={isNarrow ? 1 : 2} />
      ) : (
        <div class="totals skeleton" />
      )}
      <ListTools
        counts={list && counts}
        search={search}
        onEnter={onEnter}
        isSelecting={isSelecting}
        onSelect={toggleSelecting}
      />
      {error !== null && <StaleNote onRetry={onRetry} />}
      <div class="list-bar">
        {list && (
          <ListStatus
            shown={shown.length}
            all={onTab.length}
            isNarrowed={isNarrowed}
            isPartial={!list.isComplete}
            onClear={onClear}
          />
        )}
        {isNarrow && <SortChoice sort={sort} onSort={onSort} />}
      </div>
      <div id={LIST_PANEL_ID} role="tabpanel" aria-labelledby={tabId(place.tab)}>
        {list === undefined && <ListSkeleton isNarrow={isNarrow} />}
        {list && shown.length === 0 && list.isComplete && (
          <ErrorBoundary>
            <NoMatch tab={place.tab} text={text} isNarrowed={isNarrowed} onClear={onClear} />
          </ErrorBoundary>
        )}
        {shown.length > 0 && (
          <StockList
            stocks={shown}
            words={words}
            isNarrow={isNarrow}
            isSelecting={isSelecting}
            sort={sort}
            onSort={onSort}
          />
        )}
      </div>
      <ErrorBoundary>
        {isSelecting && (selected.length > 0 || isNarrow) && <BulkBar stocks={selected} onClear={clear} />}
      </ErrorBoundary>
    </div>
  );
};
