/** Where a person is on `/stocks`: all of it stands in the address, so that Back, reload and a shared link work. */
import type { StocksTab } from "../../contract/navigation.ts";
import type { StockStatus } from "../../contract/stock.ts";
import type { SortField, SortOrder } from "../../contract/stock-filter.ts";

/** Dialogs that `/stocks` can have open, by their names in the navigation state. */
const DIALOGS = ["detail", "add", "edit", "import", "filters", "help"] as const;
type StocksDialog = (typeof DIALOGS)[number];

const TABS = ["all", "watchlist", "holdings"] as const satisfies readonly StocksTab[];
const STATUSES = ["holding", "watching", "inactive"] as const satisfies readonly StockStatus[];
const SORT_FIELDS = [
  ...["symbol", "name", "quantity", "avgCost", "lastPrice", "marketValue"],
  ...["gainPct", "distanceToTarget", "updatedAt", "createdAt"],
] as const;

/** `sort` undefined is the tab's own order. */
export type StocksPlace = {
  readonly tab: StocksTab;
  readonly q: string;
  readonly sort: { readonly field: SortField; readonly order: SortOrder } | undefined;
  readonly tags: readonly string[];
  readonly status: StockStatus | undefined;
  readonly currency: string | undefined;
  readonly targetHit: boolean;
  readonly isTrash: boolean;
  /** The stock that a dialog is about. */
  readonly stockId: string | undefined;
  readonly dialog: StocksDialog | undefined;
  /** Text the add dialog starts with, such as `AAPL 10 @ 180`. */
  readonly draft: string | undefined;
};

/** The list without any filter. */
export const START_PLACE: StocksPlace = {
  tab: "all",
  q: "",
  sort: undefined,
  tags: [],
  status: undefined,
  currency: undefined,
  targetHit: false,
  isTrash: false,
  stockId: undefined,
  dialog: undefined,
  draft: undefined,
};

/** Reads an address's query. Whatever it does not know is left out, so that any link opens. */
export const readPlace = (search: string): StocksPlace => {
  const query = new URLSearchParams(search);
  const sort = query.get("sort") ?? "";
  const field = oneOf(SORT_FIELDS, sort.replace(/^-/, ""));
  return {
    tab: oneOf(TABS, query.get("tab")) ?? "all",
    q: query.get("q") ?? "",
    sort: field && { field, order: sort.startsWith("-") ? "desc" : "asc" },
    tags: query.getAll("tag"),
    status: oneOf(STATUSES, query.get("status")),
    currency: query.get("currency") ?? undefined,
    targetHit: query.get("hit") === "1",
    isTrash: query.get("trash") === "1",
    stockId: query.get("id") ?? undefined,
    dialog: oneOf(DIALOGS, query.get("dialog")),
    draft: query.get("draft") ?? undefined,
  };
};

/** The address of a place, without what is as on a fresh visit. */
export const placeUrl = (place: StocksPlace): string => {
  const query = new URLSearchParams();
  const put = (name: string, value: string | undefined): void => {
    if (value) query.append(name, value);
  };
  put("tab", place.tab === "all" ? undefined : place.tab);
  put("q", place.q);
  put("sort", place.sort && `${place.sort.order === "desc" ? "-" : ""}${place.sort.field}`);
  for (const tag of place.tags) put("tag", tag);
  put("status", place.status);
  put("currency", place.currency);
  put("hit", place.targetHit ? "1" : undefined);
  put("trash", place.isTrash ? "1" : undefined);
  put("dialog", place.dialog);
  put("id", place.stockId);
  put("draft", place.draft);
  return query.size === 0 ? "/stocks" : `/stocks?${query}`;
};

const oneOf = <Value extends string>(known: readonly Value[], text: string | null): Value | undefined =>
  known.find((value) => value === text);
