/** The sorts of the list: their names, where each starts, and what a tab takes while nobody chose. */
import type { StocksTab } from "../../../contract/navigation.ts";
import type { SortField, SortOrder } from "../../../contract/stock-filter.ts";

export type ListSort = { readonly field: SortField; readonly order: SortOrder };

/** Label and first direction of each sort, in the order that a choice shows them. */
export const LIST_SORTS: Readonly<Record<SortField, readonly [label: string, order: SortOrder]>> = {
  symbol: ["Symbol", "asc"],
  name: ["Name", "asc"],
  marketValue: ["Value", "desc"],
  gainPct: ["Gain", "desc"],
  lastPrice: ["Last price", "desc"],
  distanceToTarget: ["Distance to target", "asc"],
  quantity: ["Quantity", "desc"],
  avgCost: ["Average cost", "desc"],
  updatedAt: ["Last changed", "desc"],
  createdAt: ["Added", "desc"],
};

/** The server tells the agent the same (`actions/screen-list`). */
const TAB_SORTS: Readonly<Record<StocksTab, ListSort>> = {
  all: { field: "symbol", order: "asc" },
  watchlist: { field: "distanceToTarget", order: "asc" },
  holdings: { field: "marketValue", order: "desc" },
};

/** The sort that holds: the chosen one, or the tab's. */
export const activeSort = (chosen: ListSort | undefined, tab: StocksTab): ListSort => chosen ?? TAB_SORTS[tab];

/** What the place keeps for a choice: nothing when the tab is sorted that way anyway. */
export const placedSort = (sort: ListSort, tab: StocksTab): ListSort | undefined =>
  TAB_SORTS[tab].field === sort.field && TAB_SORTS[tab].order === sort.order ? undefined : sort;

/** The sort after its header was pressed: the other way round, or a field's first direction. */
export const nextSort = (field: SortField, active: ListSort): ListSort => ({
  field,
  order: field === active.field ? otherOrder(active.order) : LIST_SORTS[field][1],
});

/** The other direction. */
export const otherOrder = (order: SortOrder): SortOrder => (order === "asc" ? "desc" : "asc");
