import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { searchWords } from "../../../contract/fold-text.ts";
import { EXAMPLE_TAG } from "../../../contract/prices/example-tag.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { useFetchAhead } from "../../parts/lazy.ts";
import { selection } from "../../state/selection.ts";
import { useStore } from "../../state/store.ts";
import { shownStocks } from "../store/row-state.ts";
import type { StockList as Stocks } from "../store/stock-store.ts";
import {
  BulkBar,
  ExampleBar,
  fetchLines,
  fetchListExtras,
  NoMatch,
  PriceCredits,
  StaleBanner,
} from "./lazy-list-extras.ts";
import { ListSkeleton, ListStatus } from "./list-status.tsx";
import { LIST_PANEL_ID, ListTools, tabId } from "./list-tools.tsx";
import { ListTotals } from "./list-totals.tsx";
import { useSearch } from "./search-box.tsx";
import { useListRoom } from "./shown/list-room.ts";
import { type ListSort, placedSort } from "./shown/list-sorts.ts";
import { countFilters, NO_FILTERS } from "./shown/narrow-stocks.ts";
import { searchStocks } from "./shown/search-stocks.ts";
import { useShownStocks } from "./shown/use-shown-stocks.ts";
import { StockList } from "./stock-list.tsx";

/** `isSelecting`: whether cards show their boxes. */
type Selection = {
  readonly selected: readonly Stock[];
  readonly isSelecting: boolean;
  readonly toggleSelecting: () => void;
  readonly clear: () => void;
};

/**
 * The selected stocks. A stock that is no longer shown is deselected, so that nobody deletes what they do not see; sorting
 * keeps the selection.
 */
const useSelection = (shown: readonly Stock[]): Selection => {
  const ids = useStore(selection);
  const [isWanted, want] = useState(false);
  const selected = useMemo(() => {
    const wanted = new Set(ids);
    return wanted.size === 0 ? [] : shown.filter(({ id }) => wanted.has(id));
  }, [ids, shown]);
  // A later effect could undo a box that was checked in between.
  useLayoutEffect(() => {
    if (selected.length === ids.length) return;
    const left = new Set<string>(selected.map(({ id }) => id));
    selection.set(ids.filter((id) => left.has(id)));
  }, [selected, ids]);
  const clear = (): void => {
    want(false);
    selection.set([]);
  };
  const isSelecting = isWanted || selected.length > 0;
  return { selected, isSelecting, toggleSelecting: () => (isSelecting ? clear() : want(true)), clear };
};

/** When the parts that may be needed next are fetched, in ms after the first paint. */
const FETCH_AHEAD_MS = 1_000;

const NO_STOCKS: readonly Stock[] = [];

const NO_RATES = {} as const;

type ListBodyProps = { readonly list: Stocks | undefined; readonly error: Error | null; readonly onRetry: () => void };

/** Totals, tools and list. `list` is undefined while the first page loads; an `error` beside a list means it may be stale. */
export const ListBody = ({ list, error, onRetry }: ListBodyProps) => {
  const body = useRef<HTMLDivElement>(null);
  const room = useListRoom(body);
  const isNarrow = !room.isTable;
  const { place, go } = useStocksPlace();
  const search = useSearch();
  const { text } = search;
  const stocks = list?.items ?? NO_STOCKS;
  const { shown, filtered, onTab, counts, words, sort } = useShownStocks(
    stocks,
    place,
    text,
    list?.base.rates ?? NO_RATES,
  );
  useLayoutEffect(() => shownStocks.set(shown), [shown]);
  const { selected, isSelecting, toggleSelecting, clear } = useSelection(shown);
  useFetchAhead(fetchListExtras, FETCH_AHEAD_MS);
  const linked = list?.isComplete ? stocks.filter(({ instrument }) => instrument).length : 0;
  useEffect(() => void (linked > 0 && fetchLines()), [linked]);
  const narrowedBy = [words.length > 0 && "search", countFilters(place) > 0 && "filters"].filter(Boolean).join(" and ");
  const onSort = (next: ListSort): void => go({ sort: placedSort(next, place.tab) }, { replace: true });
  const onClear = (): void => search.show("", NO_FILTERS);
  const onEnter = (typed: string): void => {
    // The list may lag behind what was typed, so search again here.
    if (searchStocks(filtered, searchWords(typed)).length > 0) {
      search.show(typed);
      // Preact renders in a microtask, which runs before this one.
      queueMicrotask(() => body.current?.querySelector<HTMLElement>(".open[tabindex='0']")?.focus());
    } else if (typed.trim()) go({ dialog: "add", draft: typed.trim() });
  };
  return (
    <div
      ref={body}
      class={`list-body ${place.tab} ${isNarrow ? "narrow" : room.isWide ? "" : "mid"}${room.isCompact ? " compact" : ""}${isSelecting ? " selecting" : ""}`}
      style={{ "--row": `${room.rowPx}px` }}
    >
      {list ? (
        <ListTotals list={list} stocks={shown} room={room} isTyping={text !== place.q} />
      ) : (
        <div class="totals skeleton" />
      )}
      <ListTools
        counts={list && counts}
        search={search}
        onEnter={onEnter}
        isSelecting={isSelecting}
        onSelect={toggleSelecting}
        isNarrow={isNarrow}
        currency={list?.base.currency}
        sort={sort}
        onSort={onSort}
      />
      {stocks.some(({ tags }) => tags.includes(EXAMPLE_TAG)) && (
        <div class="example-line">
          <ErrorBoundary>
            <ExampleBar stocks={stocks} />
          </ErrorBoundary>
        </div>
      )}
      <ErrorBoundary>{error !== null && <StaleBanner onRetry={onRetry} />}</ErrorBoundary>
      {list && (
        <ListStatus
          shown={shown.length}
          all={onTab.length}
          narrowedBy={narrowedBy}
          isPartial={!list.isComplete && error === null}
          asOf={list.asOf}
          onClear={onClear}
        />
      )}
      <div id={LIST_PANEL_ID} role="tabpanel" aria-labelledby={tabId(place.tab)}>
        {list === undefined && <ListSkeleton room={room} />}
        {list && shown.length === 0 && list.isComplete && (
          <ErrorBoundary>
            <NoMatch tab={place.tab} text={text} narrowedBy={narrowedBy} onClear={onClear} />
          </ErrorBoundary>
        )}
        {shown.length > 0 && (
          <StockList stocks={shown} words={words} room={room} isSelecting={isSelecting} sort={sort} onSort={onSort} />
        )}
      </div>
      <ErrorBoundary>{stocks.some(({ instrument }) => instrument) && <PriceCredits stocks={stocks} />}</ErrorBoundary>
      <ErrorBoundary>
        {isSelecting && (selected.length > 0 || isNarrow) && <BulkBar stocks={selected} onClear={clear} />}
      </ErrorBoundary>
    </div>
  );
};
