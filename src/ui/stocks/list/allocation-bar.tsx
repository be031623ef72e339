/** How a currency's value spreads over its holdings. */
import { formatDecimal } from "../../format/format-decimal.ts";
import type { AllocationPart } from "./allocation.ts";
import { LOCALE } from "./locale.ts";
import { pure } from "./pure.ts";

/** Width of the picture in its own units; gaps between parts are half a one. */
const WIDTH = 100;
const GAP = 0.5;

const percent = (share: number): string =>
  formatDecimal(share.toFixed(4), LOCALE, { style: "percent", maximumFractionDigits: 0 });

type AllocationBarProps = { readonly parts: readonly AllocationPart[]; readonly currency: string };

/** The same is said in words. */
export const AllocationBar = pure(({ parts, currency }: AllocationBarProps) => {
  const said = parts.map(({ label, share }) => `${label} ${percent(share)}`).join(", ");
  const starts = parts.map((_, index) => WIDTH * parts.slice(0, index).reduce((sum, { share }) => sum + share, 0));
  return (
    <svg
      class="allocation"
      role="img"
      viewBox={`0 0 ${WIDTH} 8`}
      preserveAspectRatio="none"
      aria-label={`Allocation in ${currency}: ${said}`}
    >
      {parts.map(({ label, share }, index) => (
        <rect
          key={label}
          x={starts[index]}
          width={Math.max(share * WIDTH - (index === parts.length - 1 ? 0 : GAP), 0)}
          height="8"
        >
          <title>{`${label} ${percent(share)}`}</title>
        </rect>
      ))}
    </svg>
  );
});
