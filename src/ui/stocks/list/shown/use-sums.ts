/** The sums over the tab, its search and its filters. The server adds up: its sums are exact. */
import { useQuery } from "@tanstack/preact-query";
import type { ActionInput } from "../../../../contract/action.ts";
import { readAction } from "../../../api/read-action.ts";
import type { StocksPlace } from "../../../navigation/stocks-place.ts";
import { type ListSums, type StockList, SUMS_KEY } from "../../store/stock-store.ts";
import { countFilters } from "./narrow-stocks.ts";

const CURRENCY = /^[A-Z]{3}$/;

/** The tab, its search and its filters, for the server. */
export const filterOf = ({ tab, q, status, tags, currency, targetHit }: StocksPlace): ActionInput<"list-stocks"> => ({
  ...(tab === "watchlist" && { watched: true }),
  ...(q && { q }),
  ...(status && { status }),
  ...(currency && { currency }),
  ...(targetHit && { targetHit }),
  tags: [...tags],
});

/**
 * The sums of a place. Those of the whole list came with the list. A search counts once it is in the address, when typing rests.
 * Undefined while other sums load, null if they could not be loaded.
 */
export const useSums = (list: StockList | undefined, place: StocksPlace): ListSums | undefined | null => {
  const { tab, q, currency } = place;
  // Sums are over holdings only, so the holdings tab has the same sums as the whole list.
  const isNarrowed = tab === "watchlist" || q !== "" || countFilters(place) > 0;
  const filter = { ...filterOf(place), limit: 1 };
  const { data, isLoading } = useQuery<ListSums>({
    queryKey: [...SUMS_KEY, filter],
    queryFn: ({ signal }) => readAction("list-stocks", filter, signal),
    // The address can name anything. No stock has what is not a currency code, and the server would refuse it.
    enabled: isNarrowed && (currency === undefined || CURRENCY.test(currency)),
  });
  return isNarrowed ? (data ?? (isLoading ? undefined : null)) : list;
};
