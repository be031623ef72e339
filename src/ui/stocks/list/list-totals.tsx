/** What the holdings of the tab, its search and its filters are worth: one figure each, in the person's own currency. */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { BaseTotal } from "../../../contract/stocks/list-stocks.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { ageWords } from "../../format/price-age.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import type { ListSums, StockList } from "../store/stock-store.ts";
import { GainFigure, shownMoney } from "./row/row-figures.tsx";
import type { ListRoom } from "./shown/room-of.ts";
import { useSums } from "./shown/use-sums.ts";

/** From this age on, in ms, the oldest price matters: longer than a weekend with a holiday on each side. */
const OLD_MS = 4 * 24 * 3_600_000;

/** The base total. If it has no value because a rate is missing, and all is in one currency, that currency's total. */
const shownTotal = ({ base, totals: [first, ...more] }: ListSums): BaseTotal =>
  base.value === null && first && more.length === 0 ? { ...base, ...first, missing: [] } : base;

/** Whether a total has to say how old its oldest price is. */
export const isOldPrice = ({ staleCount, pricedAsOf }: BaseTotal, nowMs: number): boolean =>
  pricedAsOf !== null && (staleCount > 0 || nowMs - Date.parse(pricedAsOf) > OLD_MS);

/** What a total leaves out, and how old it may be. `held` are the holdings it adds up. */
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

type ListTotalsProps = {
  readonly list: StockList;
  /** The stocks that are shown. */
  readonly stocks: readonly Stock[];
  readonly room: ListRoom;
  /** Whether `stocks` come from a search that is not in the address yet. */
  readonly isTyping: boolean;
};

/** The previous totals stay until the new ones are here: a dash for a moment would only flicker. */
export const ListTotals = ({ isTyping, ...props }: ListTotalsProps) => {
  const sums = useSums(props.list, useStocksPlace().place);
  const kept = useRef<VNode>();
  if (sums !== undefined && !isTyping) kept.current = <Totals {...props} sums={sums} />;
  return kept.current ?? <div class="totals skeleton" />;
};

type TotalsProps = Omit<ListTotalsProps, "isTyping"> & { readonly sums: ListSums | null };

const Totals = ({ list, stocks, room, sums }: TotalsProps) => {
  const { go } = useStocksPlace();
  const held = list.isComplete ? stocks.filter(({ status }) => status === "holding") : [];
  if (!sums) return <p class="totals none">The totals could not be loaded.</p>;
  const { totals } = sums;
  if (totals.every(({ value }) => value === null)) {
    if (list.isComplete && held.length === 0 && list.items.some(({ status }) => status === "holding"))
      return <p class="totals none">No holdings in this view.</p>;
    const missing = totals.length + held.length > 0 ? "price to a holding" : "quantity to a stock";
    return <p class="totals none">Add a {missing} to see value and gain here.</p>;
  }
  const total = shownTotal(sums);
  const { currency } = total;
  // A list that an earlier version stored has no percentages.
  const figure = (label: string, amount: string | null, percent: string | null | undefined) => (
    <div>
      <dt>{label}</dt>
      <dd>
        <GainFigure gain={amount} percent={percent ?? null} currency={currency} room={room.figure} />
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
        {figure("Today", total.dayChange, total.dayChangePct)}
        {figure("Gain", total.gain, total.gainPct)}
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
