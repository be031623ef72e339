/** How much of the list is shown, and the way back to all of it. */

import { formatCount } from "../../format/format-count.ts";
import { formatDecimal } from "../../format/format-decimal.ts";
import { LOCALE } from "./locale.ts";

type ListStatusProps = {
  readonly shown: number;
  /** Stocks of the tab before search and filters. */
  readonly all: number;
  readonly isNarrowed: boolean;
  /** Whether further pages are on their way. */
  readonly isPartial: boolean;
  readonly onClear: () => void;
};

/** Read aloud when it changes. */
export const ListStatus = ({ shown, all, isNarrowed, isPartial, onClear }: ListStatusProps) => {
  const number = (count: number): string => formatDecimal(String(count), LOCALE);
  return (
    <div class="list-status">
      <p role="status">
        {isNarrowed ? `Filtered: ${number(shown)} of ${number(all)}` : formatCount(all, "stock", "stocks", LOCALE)}
        {isPartial && ", loading the rest…"}
      </p>
      {isNarrowed && (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" class="link" onClick={onClear}>
            Clear<span class="vh"> search and filters</span>
          </button>
        </>
      )}
    </div>
  );
};
