/** The list a screen shows, as `list-stocks` would be asked for it. */
import { ListStocksInput } from "../contract/list-stocks.ts";
import type { Navigation, StocksTab } from "../contract/navigation.ts";
import type { StockFilter } from "../contract/stock-filter.ts";

/** Rows of a screen that the agent is shown: about what a person has before their eyes. */
const VISIBLE_ROWS = 50;

/** What a tab narrows the list to, before the screen's own filters. */
const TAB_FILTERS: Readonly<Record<StocksTab, StockFilter>> = {
  all: {},
  watchlist: { watched: true },
  holdings: { status: "holding" },
};

/** How a tab is sorted while nobody chose: the nearest target on top, the largest holding on top. */
const TAB_SORTS: Readonly<Record<StocksTab, string>> = {
  all: "symbol",
  watchlist: "distanceToTarget",
  holdings: "-marketValue",
};

/** The query of a screen's list. */
export const screenList = ({ filters, sort }: Navigation): ListStocksInput => {
  const { tab = "all", ...filter } = filters ?? {};
  const sortText = sort ?? TAB_SORTS[tab];
  return ListStocksInput.parse({
    ...TAB_FILTERS[tab],
    ...filter,
    sort: sortText.replace(/^-/, ""),
    order: sortText.startsWith("-") ? "desc" : "asc",
    limit: VISIBLE_ROWS,
  });
};
