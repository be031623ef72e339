/** Sorts and filters all stocks into those to show. Each step runs again only when its own input changes. */

import { useMemo, useRef } from "preact/hooks";
import { searchWords } from "../../../../contract/fold-text.ts";
import { rankStocks, textOrder } from "../../../../contract/screen/list-order.ts";
import type { StocksTab } from "../../../../contract/screen/navigation.ts";
import { euroOf, type Rates } from "../../../../contract/stocks/major-currency.ts";
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { type SortField, STOCK_SORTS, sortedField } from "../../../../contract/stocks/stock-sorts.ts";
import { LOCALE } from "../../../format/format-number.ts";
import type { StocksPlace } from "../../../navigation/stocks-place.ts";
import { activeSort, type ListSort } from "./list-sorts.ts";
import { filterStocks, stocksOnTab } from "./narrow-stocks.ts";
import { foldedStock, searchStocks } from "./search-stocks.ts";

/** Amounts are compared as floats, which is exact enough to order them. Undefined for a missing value. */
type SortKey = string | number | undefined;

const sortKeyOf = (stock: Stock, sort: SortField, rates: Rates): SortKey => {
  const value = stock[sortedField(sort)];
  if (sort === "marketValue" && value !== null) {
    // A value without a rate cannot be compared with the others.
    const euros = Number(value) * euroOf(stock.currency, rates);
    return Number.isNaN(euros) ? undefined : euros;
  }
  const [, , compares] = STOCK_SORTS[sort];
  if (value === null) return undefined;
  return compares === "text" ? value : compares === "amount" ? Number(value) : Date.parse(value);
};

/** A sorted copy. Ties are sorted by symbol, then by id, so that the order is always the same. */
export const sortStocks = (
  stocks: readonly Stock[],
  { field, order }: ListSort,
  locale: string,
  rates: Rates,
): readonly Stock[] => {
  const compare = textOrder(locale);
  const sign = order === "asc" ? 1 : -1;
  const keyed = stocks.map((stock) => ({ stock, key: sortKeyOf(stock, field, rates) }));
  const compareKeys = (a: SortKey, b: SortKey): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * compare(String(a), String(b));
  };
  return keyed
    .sort(
      (a, b) =>
        compareKeys(a.key, b.key) || compare(a.stock.symbol, b.stock.symbol) || (a.stock.id < b.stock.id ? -1 : 1),
    )
    .map(({ stock }) => stock);
};

/** `stocks` in the order of `sorted`, new ones last: a list that has changed little is then quick to sort again. */
const presort = (stocks: readonly Stock[], sorted: readonly Stock[]): readonly Stock[] => {
  const left = new Map<string, Stock>(stocks.map((stock) => [stock.id, stock]));
  const known = sorted.flatMap(({ id }) => {
    const stock = left.get(id);
    left.delete(id);
    return stock ?? [];
  });
  return [...known, ...left.values()];
};

/** `onTab` is filtered by the tab only, `filtered` by the tab and the filters but not the search. */
type ShownStocks = {
  readonly shown: readonly Stock[];
  readonly filtered: readonly Stock[];
  readonly onTab: readonly Stock[];
  readonly counts: Readonly<Record<StocksTab, number>>;
  readonly words: readonly string[];
  readonly sort: ListSort;
};

/** While searching, the best matches come first unless a sort was chosen. */
export const useShownStocks = (
  stocks: readonly Stock[],
  place: StocksPlace,
  text: string,
  rates: Rates,
): ShownStocks => {
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
  // Sorted before filtering: a filtered part of a sorted list is sorted, so typing never sorts again.
  const before = useRef<readonly Stock[]>([]);
  const usedRates = field === "marketValue" ? JSON.stringify(rates) : "";
  const sorted = useMemo(
    () => sortStocks(presort(stocks, before.current), sort, LOCALE, rates),
    [stocks, sort, usedRates],
  );
  before.current = sorted;
  const onTab = useMemo(() => stocksOnTab(sorted, tab), [sorted, tab]);
  const filtered = useMemo(
    () => filterStocks(onTab, { status, tags, currency, targetHit }),
    [onTab, status, tags, currency, targetHit],
  );
  const shown = useMemo(() => {
    const found = searchStocks(filtered, words);
    return isChosen ? found : rankStocks(found, words, foldedStock);
  }, [filtered, words, isChosen]);
  return { shown, filtered, onTab, counts, words, sort };
};
