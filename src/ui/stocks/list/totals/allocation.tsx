/** How the value is spread over the holdings: a bar, and what its parts are. */
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { formatDecimal, LOCALE } from "../../../format/format-number.ts";
import { euroOf, type Rates } from "../shown/in-euros.ts";

/** How many holdings get a part of their own, largest first. */
const NAMED_PARTS = 4;

/** `share` is of 1. `label` is a symbol, or `others`. */
type AllocationPart = { readonly label: string; readonly share: number };

/** The parts of the value, largest first, `others` last. Empty when there is no value; those without a rate are left out. */
export const allocationOf = (stocks: readonly Stock[], rates: Rates): readonly AllocationPart[] => {
  const held = stocks
    .map((stock) => ({ label: stock.symbol, value: Number(stock.marketValue ?? 0) * euroOf(stock.currency, rates) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const sum = sumOf(held);
  const others = sumOf(held.slice(NAMED_PARTS));
  const parts = held.slice(0, NAMED_PARTS).map(({ label, value }) => ({ label, share: value / sum }));
  return others > 0 ? [...parts, { label: "others", share: others / sum }] : parts;
};

const sumOf = (parts: readonly { readonly value: number }[]): number =>
  parts.reduce((sum, { value }) => sum + value, 0);

/** How strong each part's colour is. */
const STRENGTHS = [1, 0.75, 0.55, 0.4, 0.25];

/** Width of the bar in its own units, and of the gaps between its parts. */
const WIDTH = 100;

const GAP = 0.5;

/** `12%` of a share of 1, `<1%` of a small one. */
export const sharePercent = (share: number): string =>
  share > 0 && share < 0.01
    ? `<${sharePercent(0.01)}`
    : formatDecimal(share.toFixed(4), LOCALE, { style: "percent", maximumFractionDigits: 0 });

/** Its `aria-label` says the same in words, and so does the list below it. */
export const Allocation = ({ parts }: { readonly parts: readonly AllocationPart[] }) => {
  const said = parts.map(({ label, share }) => `${label} ${sharePercent(share)}`).join(", ");
  const starts = parts.map((_, index) => WIDTH * parts.slice(0, index).reduce((sum, { share }) => sum + share, 0));
  return (
    <div class="allocation">
      <svg role="img" viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-label={`Allocation: ${said}`}>
        {parts.map(({ label, share }, index) => (
          <rect
            key={label}
            x={starts[index]}
            width={Math.max(share * WIDTH - (index === parts.length - 1 ? 0 : GAP), 0)}
            height="8"
            opacity={STRENGTHS[index]}
          />
        ))}
      </svg>
      <ul aria-hidden="true">
        {parts.map(({ label, share }, index) => (
          <li key={label}>
            <i style={{ opacity: STRENGTHS[index] }} />
            {label} {sharePercent(share)}
          </li>
        ))}
      </ul>
    </div>
  );
};
