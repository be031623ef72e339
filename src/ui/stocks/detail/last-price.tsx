/** Shows the last price: the day's change, how old it is, who it is from, and why it is not newer. */
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useQuotes } from "../../account/settings/use-quotes.ts";
import { formatPrice } from "../../format/format-money.ts";
import { LOCALE, WORDS_LOCALE } from "../../format/format-number.ts";
import { priceWords } from "../../format/price-age.ts";
import { whyStale } from "../../format/price-trouble.ts";
import { useMinute } from "../../state/use-minute.ts";
import { DayChange } from "../list/row/row-figures.tsx";

export const LastPrice = ({ stock }: { readonly stock: Stock }) => {
  const { lastPrice, lastPriceAt, lastPriceSource, currency, dayChange, priceState, instrument } = stock;
  const now = useMinute();
  const isBehind = priceState === "stale" && instrument !== null;
  const quotes = useQuotes(isBehind);
  const words = priceWords(stock, now.getTime(), false);
  const credit = Object.entries(ATTRIBUTIONS).find(([source]) => source === lastPriceSource)?.[1].text;
  const at = lastPriceAt === null ? "" : new Date(lastPriceAt).toLocaleString(WORDS_LOCALE);
  return (
    <div class="last-price">
      <span class="vh">Last price</span>
      <strong class={priceState === "stale" ? "muted" : undefined}>
        {lastPrice === null ? "No price yet" : formatPrice(lastPrice, currency, LOCALE)}
      </strong>
      {dayChange !== null && (
        <span>
          <DayChange stock={stock} isLong />
        </span>
      )}
      <p class="muted">
        {words !== "" && (
          <time dateTime={lastPriceAt ?? undefined} title={[at, lastPriceSource].filter(Boolean).join(", ")}>
            {words}
          </time>
        )}
        {words !== "" && credit && " · "}
        {credit}
      </p>
      {priceState === "pending" && <p class="muted">{stock.pendingSplit ? SPLIT_WAITS : IS_HELD}</p>}
      {/* Its line is there from the start, so that nothing moves when the reason is known. */}
      {isBehind && <p class="muted">{quotes ? whyStale(quotes) : "\u00a0"}</p>}
    </div>
  );
};

const SPLIT_WAITS = "Prices wait until you have answered the split.";

const IS_HELD =
  "The newest price differs too much to be shown before the source confirms it. This is the last confirmed one.";
