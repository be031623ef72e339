/** What the holdings of the tab, its search and its filters are worth: one figure each, in the person's own currency. */
import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { BaseTotal } from "../../../contract/stocks/list-stocks.ts";
import { majorCurrency } from "../../../contract/stocks/major-currency.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { ageWords } from "../../format/price-age.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import type { ListSums, StockList } from "../store/stock-store.ts";
import { GainFigure, shownMoney } from "./row/row-figures.tsx";
import { percentOver } from "./shown/in-euros.ts";
import type { ListRoom } from "./shown/list-room.ts";
import { useSums } from "./shown/use-sums.ts";

/** From this age on, in ms, the oldest price matters: longer than a weekend with a holiday on each side. */
const OLD_MS = 4 * 24 * 3_600_000;

/** The base total; where it has no value for want of a rate, that of the only currency. */
const shownTotal = ({ base, totals: [first, ...more] }: ListSums): BaseTotal =>
  base.value === null && first && more.length === 0 ? { ...base, ...first, missing: [] } : base;

/** Whether a total has to say how old its oldest price is. */
export const isOldPrice = ({ staleCount, pricedAsOf }: BaseTotal, nowMs: number): boolean =>
  pricedAsOf !== null && (staleCount > 0 || nowMs - Date.parse(pricedAsOf) > OLD_MS);

/** What a total leaves out, and how old it may be. `held`: the holdings that it is of. */
const notes = (total: BaseTotal, held: readonly Stock[], nowMs: number): string => {
  const { missing, pricedAsOf } = total;
  const unpriced = held.filter(({ marketValue }) => marketValue === null).length;
  return [
    unpriced > 0 && `${unpriced} without a price`,
    missing.length > 0 && `no rate for ${missing.join(", ")}`,
    isOldPrice(total, nowMs) && pricedAsOf && `oldest price ${ageWords(pricedAsOf, nowMs)}`,
  ]
    .filter(Boolean)
    .map((note) => ` · ${note}`)
    .join("");
};

const NO_RATES = {} as const;

type ListTotalsProps = {
  readonly list: StockList;
  /** Those that are shown. */
  readonly stocks: readonly Stock[];
  readonly room: ListRoom;
  /** Whether these stocks are of a search that the address does not have yet. */
  readonly isTyping: boolean;
};

/** Those of before stay until the others are here: a dash for a moment would only flicker. */
export const ListTotals = ({ isTyping, ...props }: ListTotalsProps) => {
  const sums = useSums(props.list, useStocksPlace().place);
  const kept = useRef<VNode>();
  if (sums !== undefined && !isTyping) kept.current = <Totals {...props} sums={sums} />;
  return kept.current ?? <div class="totals skeleton" />;
};

type TotalsProps = Omit<ListTotalsProps, "isTyping"> & { readonly sums: ListSums | null };

/** Per cent are left out while stocks are still loading: those of a part would be wrong. */
const Totals = ({ list, stocks, room, sums }: TotalsProps) => {
  const { go } = useStocksPlace();
  const held = list.isComplete ? stocks.filter(({ status }) => status === "holding") : [];
  // Sums come a moment after a stock has changed. Until then the per cent beside them stay of the same stocks as they are.
  const summed = useMemo(() => held, [sums?.base, list.isComplete]);
  if (!sums) return <p class="totals none">The totals could not be loaded.</p>;
  const { totals, base } = sums;
  if (totals.every(({ value }) => value === null)) {
    if (list.isComplete && held.length === 0 && list.items.some(({ status }) => status === "holding"))
      return <p class="totals none">No holdings in this view.</p>;
    const missing = totals.length + held.length > 0 ? "price to a holding" : "quantity to a stock";
    return <p class="totals none">Add a {missing} to see value and gain here.</p>;
  }
  const total = shownTotal(sums);
  const { currency } = total;
  // The figure is in the only currency, for want of its rate.
  const rates = currency === base.currency ? list.base.rates : NO_RATES;
  const counted = summed.filter((stock) => !total.missing.includes(majorCurrency(stock.currency).code));
  const percent = (termsOf: Parameters<typeof percentOver>[2]) => percentOver(counted, rates, termsOf);
  const figure = (label: string, amount: string | null, termsOf: Parameters<typeof percentOver>[2]) => (
    <div>
      <dt>{label}</dt>
      <dd>
        <GainFigure gain={amount} percent={amount && percent(termsOf)} currency={currency} room={room.figure} />
      </dd>
    </div>
  );
  return (
    <section class="totals" aria-label="Totals">
      <dl>
        <div class="worth">
          <dt>Value, {currency}</dt>
          <dd>{shownMoney(total.value, currency, room.value)}</dd>
        </div>
        {figure("Today", total.dayChange, ({ quantity, dayChange, marketValue, priceState }) => {
          const change = Number(quantity) * Number(dayChange);
          return dayChange === null || priceState === "stale" ? undefined : [change, Number(marketValue) - change];
        })}
        {figure("Gain", total.gain, ({ gain, costBasis }) =>
          gain === null ? undefined : [Number(gain), Number(costBasis)],
        )}
      </dl>
      <p>
        <button type="button" class="link" onClick={() => go({ dialog: "totals" })}>
          Breakdown
        </button>
        {notes(total, held, Date.now())}
      </p>
    </section>
  );
};
