/** How the list is sorted: what each tab starts with, and what a click on a header does. */
import type { StocksTab } from "../../../../contract/screen/navigation.ts";
import type { SortOrder } from "../../../../contract/stocks/stock-filter.ts";
import { type SortField, STOCK_SORTS } from "../../../../contract/stocks/stock-sorts.ts";

export type ListSort = { readonly field: SortField; readonly order: SortOrder };

/** The server tells the agent the same (`actions/view-screen`). */
const TAB_SORTS: Readonly<Record<StocksTab, ListSort>> = {
  all: { field: "symbol", order: "asc" },
  watchlist: { field: "distanceToTarget", order: "asc" },
  holdings: { field: "marketValue", order: "desc" },
};

/** The chosen sort, or the tab's default. */
export const activeSort = (chosen: ListSort | undefined, tab: StocksTab): ListSort => chosen ?? TAB_SORTS[tab];

/** The sort to keep in the address: undefined when it is the tab's default. */
export const placedSort = (sort: ListSort, tab: StocksTab): ListSort | undefined =>
  TAB_SORTS[tab].field === sort.field && TAB_SORTS[tab].order === sort.order ? undefined : sort;

/** The sort after a column head was pressed: reversed, or a new field in its first direction. */
export const nextSort = (field: SortField, active: ListSort): ListSort => ({
  field,
  order: field === active.field ? otherOrder(active.order) : STOCK_SORTS[field][1],
});

export const otherOrder = (order: SortOrder): SortOrder => (order === "asc" ? "desc" : "asc");

/** The columns to sort by, in order. */
export const SORT_COLUMNS: readonly { readonly field: SortField; readonly label: string; readonly kind: string }[] = [
  { field: "symbol", label: "Symbol", kind: "stock" },
  { field: "lastPrice", label: "Last", kind: "num" },
  { field: "dayChangePct", label: "Today", kind: "num today" },
  { field: "marketValue", label: "Value", kind: "num" },
  { field: "gainPct", label: "Gain %", kind: "num" },
  { field: "distanceToTarget", label: "Target", kind: "target" },
];
