import type { ActionInput } from "../../contract/action.ts";
import { readPlace, type StocksPlace } from "./stocks-place.ts";

type Navigation = ActionInput<"set-navigation">;

/** Largest state, in bytes of JSON: the 2 KB of `set-navigation` minus what the server adds (api.md §5). */
const MAX_BYTES = 1_900;

/** Limits of the parts of a state (api.md §5). */
const MAX_SELECTED = 100;
const MAX_TAGS = 20;
const MAX_TAG = 32;
const MAX_SEARCH = 200;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * An address and the selection as the input of `set-navigation`, without what it would refuse; of a currency only the form is
 * checked. A state that is too large drops the address first, then selected ids.
 */
export const screenState = (path: string, search: string, selectedIds: readonly string[]): Navigation => {
  const url = path + search;
  const place = path === "/stocks" ? readPlace(search) : undefined;
  const state: Navigation = place ? { view: "stocks", ...stocksState(place) } : { view: "chat" };
  let ids = place ? selectedIds.slice(0, MAX_SELECTED) : [];
  for (;;) {
    const whole = { ...state, path: url, selectedIds: [...ids] };
    if (bytesOf(whole) <= MAX_BYTES) return whole;
    // The filters repeat what is in the address.
    const short = { ...state, selectedIds: [...ids] };
    if (bytesOf(short) <= MAX_BYTES) return short;
    if (ids.length === 0) return { view: state.view };
    ids = ids.slice(0, Math.floor(ids.length / 2));
  }
};

const bytesOf = (state: Navigation): number => new TextEncoder().encode(JSON.stringify(state)).length;

const stocksState = (place: StocksPlace): Partial<Navigation> => {
  const tags = place.tags.filter((tag) => tag !== "" && tag.length <= MAX_TAG).slice(0, MAX_TAGS);
  return {
    filters: {
      tab: place.tab,
      ...(place.q === "" ? {} : { q: place.q.slice(0, MAX_SEARCH) }),
      ...(place.status ? { status: place.status } : {}),
      ...(place.currency && /^[A-Z]{3}$/.test(place.currency) ? { currency: place.currency } : {}),
      ...(tags.length > 0 ? { tags } : {}),
      ...(place.targetHit ? { targetHit: true } : {}),
      ...(place.isTrash ? { deleted: true } : {}),
    },
    sort: place.sort ? `${place.sort.order === "desc" ? "-" : ""}${place.sort.field}` : null,
    stockId: place.stockId && UUID.test(place.stockId) ? place.stockId : null,
    // The agent cannot be asked about the totals dialog.
    dialog: place.dialog === undefined || place.dialog === "totals" ? null : place.dialog,
  };
};
