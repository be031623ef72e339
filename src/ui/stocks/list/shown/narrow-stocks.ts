/** Applies a tab and the filters to the stocks, by the same rules as `list-stocks`. */
import { useMemo } from "preact/hooks";
import type { StocksTab } from "../../../../contract/screen/navigation.ts";
import type { Stock } from "../../../../contract/stocks/stock.ts";
import type { StocksPlace } from "../../../navigation/stocks-place.ts";
import { useStockList } from "../../store/use-stock-list.ts";

/** Whether the last price has reached a target. */
const isTargetHit = ({ targetState }: Stock): boolean => targetState === "below_low" || targetState === "above_high";

/** How many stocks have reached a target; 0 until the list has loaded. */
export const useTargetHits = (): number => {
  const { list } = useStockList();
  return useMemo(() => list?.items.filter(isTargetHit).length ?? 0, [list]);
};

/** The filters of the filter dialog: everything in the place that narrows a tab, except the search. */
export type ListFilters = Pick<StocksPlace, "status" | "tags" | "currency" | "targetHit">;

export const NO_FILTERS: ListFilters = { status: undefined, tags: [], currency: undefined, targetHit: false };

const IS_ON_TAB: Readonly<Record<StocksTab, (stock: Stock) => boolean>> = {
  all: () => true,
  watchlist: ({ watched }) => watched,
  holdings: ({ status }) => status === "holding",
};

/** The stocks of a tab, in their order. */
export const stocksOnTab = (stocks: readonly Stock[], tab: StocksTab): readonly Stock[] =>
  tab === "all" ? stocks : stocks.filter(IS_ON_TAB[tab]);

/** How many filters are on. */
export const countFilters = ({ status, tags, currency, targetHit }: ListFilters): number =>
  Number(status !== undefined) + tags.length + Number(currency !== undefined) + Number(targetHit);

/** The stocks that match all filters, in their order. Tags are compared ignoring case. */
export const filterStocks = (stocks: readonly Stock[], filters: ListFilters): readonly Stock[] => {
  if (countFilters(filters) === 0) return stocks;
  const { status, currency, targetHit } = filters;
  const wanted = filters.tags.map((tag) => tag.toLowerCase());
  return stocks.filter((stock) => {
    if (status !== undefined && stock.status !== status) return false;
    if (currency !== undefined && stock.currency !== currency) return false;
    if (targetHit && !isTargetHit(stock)) return false;
    const tags = wanted.length === 0 ? [] : stock.tags.map((tag) => tag.toLowerCase());
    return wanted.every((tag) => tags.includes(tag));
  });
};
