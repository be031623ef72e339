/** From all stocks to those that are shown, in their order. Each step is done again only when its own input changed. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { searchWords } from "../../../contract/fold-text.ts";
import type { StocksTab } from "../../../contract/navigation.ts";
import type { Stock } from "../../../contract/stock.ts";
import type { StocksPlace } from "../../navigation/stocks-place.ts";
import { foldedStock } from "./folded-stock.ts";
import { activeSort, type ListSort } from "./list-sorts.ts";
import { LOCALE } from "./locale.ts";
import { filterStocks, stocksOnTab } from "./narrow-stocks.ts";
import { rankStocks, searchStocks } from "./search-stocks.ts";
import { presort, sortStocks } from "./sort-stocks.ts";

/** `onTab` and `filtered` are the steps before: the tab alone, and without the search. */
type ShownStocks = {
  readonly shown: readonly Stock[];
  readonly filtered: readonly Stock[];
  readonly onTab: readonly Stock[];
  readonly counts: Readonly<Record<StocksTab, number>>;
  readonly words: readonly string[];
  readonly sort: ListSort;
};

/** A search without a chosen sort shows the best matches first. */
export const useShownStocks = (stocks: readonly Stock[], place: StocksPlace, text: string): ShownStocks => {
  const { tab, status, currency, targetHit } = place;
  const isChosen = place.sort !== undefined;
  const { field, order } = activeSort(place.sort, tab);
  const sort = useMemo(() => ({ field, order }), [field, order]);
  const tags = useMemo(() => place.tags, [place.tags.join("\n")]);
  const words = useMemo(() => searchWords(text), [text]);
  const counts = useMemo(
    () => ({
      all: stocks.length,
      watchlist: stocksOnTab(stocks, "watchlist").length,
      holdings: stocksOnTab(stocks, "holdings").length,
    }),
    [stocks],
  );
  // All are sorted once, whatever is typed afterwards: what is taken out of a sorted list stays sorted.
  const before = useRef<readonly Stock[]>([]);
  const sorted = useMemo(() => sortStocks(presort(stocks, before.current), sort, LOCALE), [stocks, sort]);
  before.current = sorted;
  const onTab = useMemo(() => stocksOnTab(sorted, tab), [sorted, tab]);
  const filtered = useMemo(
    () => filterStocks(onTab, { status, tags, currency, targetHit }),
    [onTab, status, tags, currency, targetHit],
  );
  const shown = useMemo(() => {
    const found = searchStocks(filtered, words);
    return isChosen ? found : rankStocks(found, words);
  }, [filtered, words, isChosen]);
  useFoldAhead(stocks);
  return { shown, filtered, onTab, counts, words, sort };
};

/** Stocks folded at a time, so that no step keeps the page from answering. */
const FOLDED_AT_ONCE = 100;

/** Folds all stocks while nothing else happens: the first letter of a search then finds them ready. */
const useFoldAhead = (stocks: readonly Stock[]): void => {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const foldFrom = (start: number): void => {
      for (const stock of stocks.slice(start, start + FOLDED_AT_ONCE)) foldedStock(stock);
      const next = start + FOLDED_AT_ONCE;
      if (next < stocks.length) timer = setTimeout(() => foldFrom(next));
    };
    timer = setTimeout(() => foldFrom(0));
    return () => clearTimeout(timer);
  }, [stocks]);
};
