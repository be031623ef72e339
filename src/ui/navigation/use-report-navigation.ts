/** The place and the selection as navigation state, told whenever they change. */

import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { ActionInput } from "../../contract/action.ts";
import { useStore } from "../state/use-store.ts";
import { selection } from "../stocks/selection.ts";
import { reportNavigation } from "./report-navigation.ts";
import { readPlace, type StocksPlace } from "./stocks-place.ts";

/** Selected stocks that are told at most, as `set-navigation` takes them. */
const MAX_SELECTED = 40;

/** Characters of an address that are told at most; the whole state may be 2 KB. */
const MAX_PATH = 400;

/** Reports every change. Used once, by the shell. */
export const useReportNavigation = (): void => {
  const { url, path } = useLocation();
  const selectedIds = useStore(selection);
  useEffect(() => {
    const place = path === "/stocks" ? readPlace(url.slice(url.indexOf("?"))) : undefined;
    reportNavigation({
      view: place ? "stocks" : "chat",
      path: url.slice(0, MAX_PATH),
      ...(place ? stocksState(place) : {}),
      selectedIds: place ? selectedIds.slice(0, MAX_SELECTED) : [],
    });
  }, [url, path, selectedIds]);
};

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

const stocksState = (place: StocksPlace): Partial<ActionInput<"set-navigation">> => ({
  filters: {
    tab: place.tab,
    ...(place.q === "" ? {} : { q: place.q.slice(0, 200) }),
    ...(place.status ? { status: place.status } : {}),
    ...(place.currency ? { currency: place.currency } : {}),
    ...(place.tags.length > 0 ? { tags: [...place.tags] } : {}),
    ...(place.targetHit ? { targetHit: true } : {}),
    ...(place.isTrash ? { deleted: true } : {}),
  },
  sort: place.sort ? `${place.sort.order === "desc" ? "-" : ""}${place.sort.field}` : null,
  stockId: place.stockId && UUID.test(place.stockId) ? place.stockId : null,
  dialog: place.dialog ?? null,
});
