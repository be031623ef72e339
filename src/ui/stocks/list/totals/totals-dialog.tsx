/** What the one total is made of: its allocation, its currencies, the day of their rates, and what it leaves out. */

import type { ComponentChildren } from "preact";
import { searchWords } from "../../../../contract/fold-text.ts";
import type { BaseTotal, CurrencyTotal } from "../../../../contract/stocks/list-stocks.ts";
import type { Rates } from "../../../../contract/stocks/major-currency.ts";
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { formatCount, LOCALE, MISSING } from "../../../format/format-number.ts";
import { ageWords } from "../../../format/price-age.ts";
import { writeDay } from "../../../format/write-day.ts";
import { useStocksPlace } from "../../../navigation/stocks-place.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { ErrorBoundary } from "../../../parts/error-screen.tsx";
import { adoptStyles } from "../../../parts/late-styles.ts";
import { lazy } from "../../../parts/lazy.ts";
import type { ListSums } from "../../store/stock-store.ts";
import { useStockList } from "../../store/use-stock-list.ts";
import { isOldPrice } from "../list-totals.tsx";
import { GainFigure, shownMoney } from "../row/row-figures.tsx";
import { filterStocks, stocksOnTab } from "../shown/narrow-stocks.ts";
import { searchStocks } from "../shown/search-stocks.ts";
import { filterOf, useSums } from "../shown/use-sums.ts";
import { Allocation, allocationOf, sharePercent, worthOf } from "./allocation.tsx";
import totalsStyles from "./totals.css";

const ValueChart = lazy(async () => (await import("../../chart/value-chart.tsx")).ValueChart);

const NO_STOCKS: readonly Stock[] = [];

/** Characters of an amount in the table: three columns fit a phone. */
const ROOM = 12;

/** The breakdown of the tab, its search and its filters, like the figures above the list. */
export const TotalsDialog = ({ onClose }: { readonly onClose: () => void }) => {
  adoptStyles(totalsStyles);
  const { place } = useStocksPlace();
  const { list } = useStockList();
  const sums = useSums(list, place);
  const filtered = filterStocks(stocksOnTab(list?.items ?? NO_STOCKS, place.tab), place);
  const stocks = searchStocks(filtered, searchWords(place.q));
  const held = stocks.filter(({ status }) => status === "holding");
  const rates = list?.base.rates ?? {};
  const parts = allocationOf(held, rates);
  return (
    <Dialog title="Breakdown" onClose={onClose}>
      {sums == null ? (
        <p class="muted">{sums === null ? "The sums could not be loaded." : "Loading…"}</p>
      ) : (
        <div class="breakdown">
          {parts.length > 0 && <Allocation parts={parts} />}
          <CurrencyTable sums={sums} rates={rates} />
          {held.some(({ instrument }) => instrument) && (
            <ErrorBoundary>
              <ValueChart filter={filterOf(place)} />
            </ErrorBoundary>
          )}
          <ul class="muted">
            {sentences(sums.base, held, Date.now()).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
};

/** Each currency by itself, and all together. Pence and the like count as part of their currency, which the amounts are in. */
const CurrencyTable = ({ sums: { totals, base }, rates }: { readonly sums: ListSums; readonly rates: Rates }) => {
  const isOne = totals.every(({ currency }) => currency === base.currency);
  const valued = totals.flatMap(({ currency, value }) => (Number(value ?? 0) > 0 ? currency : []));
  const worth = worthOf(valued, rates);
  const euros = totals.map(({ currency, value }) => Number(value ?? 0) * worth(currency));
  const sum = euros.filter((euro) => !Number.isNaN(euro)).reduce((all, euro) => all + euro, 0);
  const shareOf = ({ value }: CurrencyTotal, index: number): string => {
    const share = (euros[index] ?? 0) / sum;
    return value !== null && Number.isFinite(share) ? sharePercent(share) : MISSING;
  };
  return (
    <table>
      <caption class="vh">Totals by currency</caption>
      <thead>
        <tr>
          <th class="head" scope="col">
            Currency
          </th>
          <th class="head" scope="col">
            Value
          </th>
          <th class="head" scope="col">
            Gain
          </th>
        </tr>
      </thead>
      <tbody>
        {totals.map((total, index) => (
          <SumsRow key={total.currency} {...total}>
            {total.currency} <small>{shareOf(total, index)}</small>
          </SumsRow>
        ))}
      </tbody>
      {!isOne && base.value !== null && (
        <tfoot>
          <SumsRow {...base}>Total, {base.currency}</SumsRow>
        </tfoot>
      )}
    </table>
  );
};

type SumsRowProps = Pick<CurrencyTotal, "currency" | "value" | "gain"> & { readonly children: ComponentChildren };

const SumsRow = ({ currency, value, gain, children }: SumsRowProps) => (
  <tr>
    <th scope="row">{children}</th>
    <td>{shownMoney(value, currency, ROOM)}</td>
    <td>
      <GainFigure gain={gain} percent={null} currency={currency} room={ROOM} />
    </td>
  </tr>
);

/** What has to be known to read the total. */
const sentences = (base: BaseTotal, held: readonly Stock[], nowMs: number): string[] => {
  const { currency, ratesOn, missing, pricedAsOf, staleCount } = base;
  const unpriced = held.filter(({ marketValue }) => marketValue === null).map(({ symbol }) => symbol);
  return [
    ...(ratesOn === null ? [] : [`In ${currency} at ${ratesWords(held, ratesOn)}.`]),
    ...(missing.length === 0 ? [] : [`There is no rate for ${missing.join(", ")}: not in the total.`]),
    ...(unpriced.length === 0 ? [] : [`Without a price, and so not in the value: ${named(unpriced)}.`]),
    ...(staleCount === 0
      ? []
      : [`${formatCount(staleCount, "price is", "prices are", LOCALE)} older than the last trading day.`]),
    ...(isOldPrice(base, nowMs) && pricedAsOf ? [`The oldest price is from ${ageWords(pricedAsOf, nowMs)}.`] : []),
  ];
};

/** A demo's rates come from the same source as its prices. */
const ratesWords = (held: readonly Stock[], ratesOn: string): string =>
  held.some(({ instrument }) => instrument?.source === "demo")
    ? "demo rates, which are not real"
    : `the ECB's reference rates of ${writeDay(ratesOn)}`;

/** How many symbols are named; the rest is counted. */
const MAX_NAMED = 8;

const named = (symbols: readonly string[]): string =>
  symbols.length <= MAX_NAMED
    ? symbols.join(", ")
    : `${symbols.slice(0, MAX_NAMED).join(", ")} and ${symbols.length - MAX_NAMED} more`;
