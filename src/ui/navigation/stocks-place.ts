/** Where a person is on `/stocks`. All of it is in the address, so that Back, reload and shared links work. */
import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { StocksTab } from "../../contract/screen/navigation.ts";
import type { StockStatus } from "../../contract/stocks/stock.ts";
import type { SortOrder } from "../../contract/stocks/stock-filter.ts";
import { isSortField, type SortField } from "../../contract/stocks/stock-sorts.ts";

/** The dialogs of `/stocks`, by their names in the address and in the navigation state. */
const DIALOGS = ["detail", "add", "edit", "import", "filters", "totals", "help"] as const;

type StocksDialog = (typeof DIALOGS)[number];

const TABS = ["all", "watchlist", "holdings"] as const satisfies readonly StocksTab[];

const STATUSES = ["holding", "watching", "inactive"] as const satisfies readonly StockStatus[];

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
  /** Initial text of the add dialog, such as `AAPL 10 @ 180`. */
  readonly draft: string | undefined;
};

/** Parses an address's query. Unknown values are ignored, so that any link opens. */
export const readPlace = (search: string): StocksPlace => {
  const query = new URLSearchParams(search);
  const sort = query.get("sort") ?? "";
  const field = sort.replace(/^-/, "");
  return {
    tab: oneOf(TABS, query.get("tab")) ?? "all",
    q: query.get("q") ?? "",
    sort: isSortField(field) ? { field, order: sort.startsWith("-") ? "desc" : "asc" } : undefined,
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

/** The address of a place, without default values. */
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

/** The list without any filter. */
export const START_PLACE = readPlace("");

/** `replace` adds no step to the history: for typing, and for closing what a link opened. */
type Go = (change: Partial<StocksPlace>, options?: { readonly replace?: boolean }) => void;

/** A place without its dialog. */
const LIST_ONLY = { dialog: undefined, stockId: undefined, draft: undefined } as const;

/** Moves a typed search that is not in the address yet into the address. Undefined when there is none. */
export const putTyped: { current: (() => void) | undefined } = { current: undefined };

let isSteppingBack = false;

/** Steps back once, however often it is called before that happens. */
const stepBack = (): void => {
  if (isSteppingBack) return;
  isSteppingBack = true;
  addEventListener("popstate", () => (isSteppingBack = false), { once: true });
  history.back();
};

/** The router on the screen. A toast may be older than it: after a new sign-in, the router from before no longer shows anything. */
let route: ReturnType<typeof useLocation>["route"];

const go: Go = (change, { replace = false } = {}) => {
  // Coming back to this step then shows what was typed there.
  if (!replace) putTyped.current?.();
  // Read from the address, not from the render, so that two changes in a row both count.
  const isHere = location.pathname === "/stocks";
  const now = isHere ? readPlace(location.search) : START_PLACE;
  const { state } = history;
  const next = placeUrl({ ...now, ...change });
  // A place that is shown already adds no step. Nor does going from one stock to the next: Back leads to the list, not through them all.
  const isSame =
    replace ||
    next === location.pathname + location.search ||
    (isHere && change.dialog !== undefined && change.dialog === now.dialog);
  route(next, isSame);
  // The router does not keep the history state. A step made by opening a dialog stores which list is below the dialog.
  if (isSame) history.replaceState(state, "");
  else if (isHere && change.dialog) history.replaceState({ list: placeUrl({ ...now, ...LIST_ONLY }) }, "");
};

/** Steps back, so that Back does not reopen the dialog. Not if the list was searched or sorted beside it: that would be undone. */
const closeDialog = (): void => {
  if (history.state?.list === placeUrl({ ...readPlace(location.search), ...LIST_ONLY })) stepBack();
  else go(LIST_ONLY, { replace: true });
};

/** The current place and how to change it. Elsewhere than on `/stocks`, `go` starts from the unfiltered list. */
export const useStocksPlace = (): {
  readonly place: StocksPlace;
  readonly go: Go;
  /** Returns to where the dialog was opened, or to the list when a link opened it. To go elsewhere, call only `go`. */
  readonly closeDialog: () => void;
} => {
  const { url, path, route: current } = useLocation();
  route = current;
  const place = useMemo(
    // A link's `url` ends with its fragment.
    () => (path === "/stocks" ? readPlace(location.search) : START_PLACE),
    [url, path],
  );
  return { place, go, closeDialog };
};
