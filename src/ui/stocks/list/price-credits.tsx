/** Names the sources of the shown prices, as they require, offers to refresh the prices, and keeps them fresh while they are in view. */
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { adoptStyles } from "../../parts/late-styles.ts";
import { showToast } from "../../parts/toasts.tsx";
import { STOCK_LIST_KEY, type StockList, SUMS_KEY } from "../store/stock-store.ts";
import { useRefreshPrices } from "../store/use-refresh-prices.ts";
import extraStyles from "./list-extras.css";
import { useCountUp } from "./motion/count-up.ts";
import { filterOf } from "./shown/use-sums.ts";

const isKnown = (source: string): source is keyof typeof ATTRIBUTIONS => Object.hasOwn(ATTRIBUTIONS, source);

/** How often a list in view is read again, in ms: reading it is what makes the server fetch its prices (api.md §8). */
const LOOK_MS = 10 * 60_000;

/**
 * How long after a look the list is read once more, in ms: the answer to a look has the prices from the look before, while newer ones
 * are fetched.
 */
const FETCHED_MS = 5_000;

/** A look less than this after another, in ms, has no second read: the list comes back after a stock was opened, for example. */
const APART_MS = 30_000;

/** When the last look was that a second read follows or has followed, in ms since 1970. */
let followedAtMs = Number.NEGATIVE_INFINITY;

const useLooks = (): void => {
  const client = useQueryClient();
  useEffect(() => {
    const look = (): void => {
      // A hidden tab is read again when it is looked at.
      if (document.hidden) return;
      // The sums of what is shown are read too: values beside an older total would not add up.
      for (const queryKey of [STOCK_LIST_KEY, SUMS_KEY]) {
        void client.refetchQueries({ queryKey, type: "active" }, { cancelRefetch: false });
      }
    };
    let following: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      if (document.hidden || Date.now() - followedAtMs < APART_MS) return;
      followedAtMs = Date.now();
      following = setTimeout(() => {
        following = undefined;
        const items = client.getQueryData<StockList>(STOCK_LIST_KEY)?.items ?? [];
        if (navigator.onLine && items.some(mayHaveNewer)) look();
      }, FETCHED_MS);
    };
    follow();
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearInterval(timer);
      clearTimeout(following);
      if (following !== undefined) followedAtMs = Number.NEGATIVE_INFINITY;
      document.removeEventListener("visibilitychange", follow);
    };
  }, [client]);
};

const mayHaveNewer = ({ autoPrice, instrument, priceState }: Stock): boolean =>
  autoPrice && instrument !== null && priceState !== "live" && priceState !== "manual";

/** A line for each source. The demo has nobody to link to. */
export const PriceCredits = ({ stocks }: { readonly stocks: readonly Stock[] }) => {
  adoptStyles(extraStyles);
  useLooks();
  const { place } = useStocksPlace();
  useCountUp(JSON.stringify(filterOf(place)));
  const sources = new Set(stocks.flatMap(({ instrument }) => instrument?.source ?? []));
  return (
    <p class="credits">
      {[...sources].filter(isKnown).map((source) => {
        const { text, url } = ATTRIBUTIONS[source];
        return url === null ? (
          <span key={source}>{text}</span>
        ) : (
          <a key={source} href={url} target="_blank" rel="noopener">
            {text}
          </a>
        );
      })}
      <RefreshPrices />
    </p>
  );
};

const RefreshPrices = () => {
  const { isBusy, refresh } = useRefreshPrices();
  const press = async (): Promise<void> => {
    const text = await refresh();
    if (text !== undefined) showToast({ text });
  };
  return (
    <button type="button" class="link" aria-disabled={isBusy} onClick={() => void press()}>
      {isBusy ? "Refreshing prices…" : "Refresh prices"}
    </button>
  );
};
