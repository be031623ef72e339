/** What the holdings are worth, by currency. Sums are the server's. */
import { useMemo, useState } from "preact/hooks";
import type { CurrencyTotal } from "../../../contract/list-stocks.ts";
import type { Stock } from "../../../contract/stock.ts";
import { formatMoney } from "../../format/format-money.ts";
import { allocationOf, gainPercent, isIn } from "./allocation.ts";
import { AllocationBar } from "./allocation-bar.tsx";
import { GainFigure } from "./gain-figure.tsx";
import { LOCALE } from "./locale.ts";

type ListTotalsProps = {
  readonly totals: readonly CurrencyTotal[];
  readonly stocks: readonly Stock[];
  /** Whether `stocks` are all there are: shares and per cent of a part of them would be wrong. */
  readonly isComplete: boolean;
  /** Currencies that find room at first. */
  readonly room: number;
};

/** Nothing in the list is in a currency more than in these comes first; the others show when they are asked for. */
export const ListTotals = ({ totals, stocks, isComplete, room }: ListTotalsProps) => {
  const [isAll, showAll] = useState(false);
  const held = useMemo(
    () => (isComplete ? stocks.filter(({ status }) => status === "holding") : []),
    [stocks, isComplete],
  );
  const figures = useMemo(
    () =>
      totals
        .map((total) => ({
          ...total,
          parts: allocationOf(held, total.currency),
          percent: gainPercent(held, total.currency, total.gain),
        }))
        .sort((a, b) => stocks.filter(isIn(b.currency)).length - stocks.filter(isIn(a.currency)).length),
    [totals, held, stocks],
  );
  if (figures.length === 0) {
    const missing = stocks.some(({ status }) => status === "holding") ? "price to a holding" : "quantity to a stock";
    return <p class="totals none">Add a {missing} to see value and gain here.</p>;
  }
  return (
    <section class={isAll ? "totals all" : "totals"} aria-label="Totals">
      {figures.slice(0, isAll ? figures.length : room).map(({ currency, value, gain, percent, parts }, index) => (
        <div key={currency} class="total">
          <dl>
            <div>
              <dt>
                Value, {currency}
                {index === 0 && figures.length > room && (
                  <button type="button" class="link" aria-expanded={isAll} onClick={() => showAll(!isAll)}>
                    {isAll ? "Show fewer" : `+${figures.length - room} more`}
                    <span class="vh"> currencies</span>
                  </button>
                )}
              </dt>
              <dd>{formatMoney(value, currency, LOCALE)}</dd>
            </div>
            <div>
              <dt>Gain</dt>
              <dd>
                <GainFigure gain={gain} percent={percent} currency={currency} />
              </dd>
            </div>
          </dl>
          {parts.length > 0 && <AllocationBar parts={parts} currency={currency} />}
        </div>
      ))}
    </section>
  );
};
