/** One sentence on what a screen shows, for a reader who cannot see it. */
import type { ListStocksInput } from "../contract/list-stocks.ts";
import type { StocksTab } from "../contract/navigation.ts";
import type { SortField } from "../contract/stock-filter.ts";

const TAB_NAMES: Readonly<Record<StocksTab, string>> = {
  all: "All stocks",
  watchlist: "Watchlist",
  holdings: "Holdings",
};

const SORT_NAMES: Readonly<Record<SortField, string>> = {
  symbol: "symbol",
  name: "name",
  quantity: "quantity",
  avgCost: "average cost",
  lastPrice: "last price",
  marketValue: "market value",
  gainPct: "gain in per cent",
  distanceToTarget: "distance to target",
  updatedAt: "time of change",
  createdAt: "time of addition",
};

/** Such as `Watchlist: 4 of 42 stocks, searched for "bank", sorted by distance to target, ascending.` */
export const summarizeScreen = (
  tab: StocksTab,
  list: ListStocksInput,
  counts: { readonly matching: number; readonly live: number },
): string => {
  const parts = [
    `${list.deleted === true ? "Trash" : TAB_NAMES[tab]}: ${counts.matching}${list.deleted === true ? "" : ` of ${counts.live}`} stocks`,
    list.q && `searched for ${JSON.stringify(list.q)}`,
    list.status && tab !== "holdings" && `status ${list.status}`,
    list.watched !== undefined && tab !== "watchlist" && (list.watched ? "watched only" : "unwatched only"),
    list.tags?.length && `tagged ${list.tags.map((tag) => JSON.stringify(tag)).join(" and ")}`,
    list.currency && `in ${list.currency}`,
    list.targetHit !== undefined && (list.targetHit ? "target reached only" : "target not reached"),
    `sorted by ${SORT_NAMES[list.sort]}, ${list.order === "asc" ? "ascending" : "descending"}`,
  ];
  return `${parts.filter((part) => typeof part === "string" && part !== "").join(", ")}.`;
};
