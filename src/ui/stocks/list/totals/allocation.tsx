/** How the value is spread over the holdings: a bar, what its parts are, and more about the part that is pointed at. */

import { useState } from "preact/hooks";
import { euroOf, majorCurrency, type Rates } from "../../../../contract/stocks/major-currency.ts";
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { formatMoney } from "../../../format/format-money.ts";
import { formatCount, formatDecimal, LOCALE } from "../../../format/format-number.ts";

/** How many holdings get a part of their own, largest first. */
const NAMED_PARTS = 4;

/**
 * `share` is of 1. `id` is the stock's, or `others`. `label` is a symbol, with its market or currency where another part
 * has the same symbol, or `others`.
 */
type AllocationPart = {
  readonly id: string;
  readonly label: string;
  readonly share: number;
  readonly stocks: readonly Stock[];
};

/**
 * What one unit of each currency is worth, to compute shares. NaN for a currency without a rate. NaN for all of them if there are no
 * rates at all and the currencies differ: otherwise a yen would count as much as a pound.
 */
export const worthOf = (currencies: readonly string[], rates: Rates): ((currency: string) => number) => {
  const majors = new Set(currencies.map((currency) => majorCurrency(currency).code));
  const isComparable = majors.size <= 1 || Object.keys(rates).length > 0;
  return (currency) => (isComparable ? euroOf(currency, rates) : Number.NaN);
};

/** The parts of the value, largest first, `others` last. Empty when there is no value. Holdings without a rate are left out. */
export const allocationOf = (stocks: readonly Stock[], rates: Rates): readonly AllocationPart[] => {
  const valued = stocks.filter(({ marketValue }) => Number(marketValue ?? 0) > 0);
  const worth = worthOf(
    valued.map(({ currency }) => currency),
    rates,
  );
  const held = valued
    .map((stock) => ({ stock, value: Number(stock.marketValue) * worth(stock.currency) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const sum = sumOf(held);
  const rest = held.slice(NAMED_PARTS);
  const named = held.slice(0, NAMED_PARTS);
  const labelOf = ({ symbol, exchange, currency }: Stock): string => {
    const isOnly = named.filter(({ stock }) => stock.symbol === symbol).length === 1;
    return isOnly ? symbol : `${symbol} ${exchange ?? currency}`;
  };
  const parts = named.map(({ stock, value }) => ({
    id: stock.id,
    label: labelOf(stock),
    share: value / sum,
    stocks: [stock],
  }));
  if (rest.length === 0) return parts;
  return [
    ...parts,
    { id: "others", label: "others", share: sumOf(rest) / sum, stocks: rest.map(({ stock }) => stock) },
  ];
};

const sumOf = (parts: readonly { readonly value: number }[]): number =>
  parts.reduce((sum, { value }) => sum + value, 0);

/** How strong each part's colour is. */
const STRENGTHS = [1, 0.75, 0.55, 0.4, 0.25];

/** Writes a share of 1, such as `12%`; a small one is `<1%`. */
export const sharePercent = (share: number): string =>
  share > 0 && share < 0.01
    ? `<${sharePercent(0.01)}`
    : formatDecimal(share.toFixed(4), LOCALE, { style: "percent", maximumFractionDigits: 0 });

/** How many symbols of the others are named. */
const MAX_NAMED = 6;

/** What a part is, in words. */
export const partWords = ({ stocks }: AllocationPart): string => {
  const [first] = stocks;
  if (first && stocks.length === 1) {
    const { name, symbol, marketValue, currency } = first;
    return `${name === symbol ? "" : `${name}: `}${formatMoney(marketValue, currency, LOCALE)}`;
  }
  const named = stocks.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  const more = stocks.length > MAX_NAMED ? " …" : "";
  return `${formatCount(stocks.length, "stock", "stocks", LOCALE)}: ${named.join(", ")}${more}`;
};

/** The legend follows the pointer on the bar and the focus; a tap counts as both. The bar's `aria-label` says all of it in words. */
export const Allocation = ({ parts }: { readonly parts: readonly AllocationPart[] }) => {
  const [chosen, choose] = useState<string>();
  const said = parts.map(({ label, share }) => `${label} ${sharePercent(share)}`).join(", ");
  const shown = parts.find(({ id }) => id === chosen);
  const stateOf = (id: string): string => (chosen === undefined ? "" : id === chosen ? "on" : "off");
  return (
    <div class="allocation">
      <div class="bar" role="img" aria-label={`Allocation: ${said}`}>
        {parts.map(({ id, share }, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the buttons below do the same by key.
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
          <span
            key={id}
            class={stateOf(id)}
            style={{ flexGrow: share }}
            onPointerEnter={() => choose(id)}
            onClick={() => choose(id)}
          >
            <i style={{ opacity: STRENGTHS[index] }} />
          </span>
        ))}
      </div>
      <ul>
        {parts.map(({ id, label, share }, index) => (
          <li key={id}>
            <button
              type="button"
              class={stateOf(id)}
              aria-describedby="allocation-part"
              onPointerEnter={() => choose(id)}
              onFocus={() => choose(id)}
              onClick={() => choose(id)}
            >
              <i class="mark" style={{ opacity: STRENGTHS[index] }} />
              {label} {sharePercent(share)}
            </button>
          </li>
        ))}
      </ul>
      <p id="allocation-part" class="muted">
        {shown ? partWords(shown) : "Choose a part to see what it is worth."}
      </p>
    </div>
  );
};
