import { formatCount, formatDecimal, LOCALE } from "../../format/format-number.ts";
import type { ListRoom } from "./shown/room-of.ts";

type ListStatusProps = {
  readonly shown: number;
  /** Stocks on the tab, before search and filters. */
  readonly all: number;
  /** `search`, `filters`, both, or nothing. */
  readonly narrowedBy: string;
  /** Whether more pages are loading. */
  readonly isPartial: boolean;
  /** When the list was read, if it could not be read again. */
  readonly asOf: string | undefined;
  readonly onClear: () => void;
};

/** How much of the list is shown. Screen readers read it when it changes. */
export const ListStatus = ({ shown, all, narrowedBy, isPartial, asOf, onClear }: ListStatusProps) => {
  const number = (count: number): string => formatDecimal(String(count), LOCALE);
  return (
    // The heading has the count already.
    <div class={narrowedBy || asOf ? "list-status" : "vh"}>
      <p role="status">
        {narrowedBy
          ? `${narrowedBy === "search" ? "Found" : "Filtered:"} ${number(shown)} of ${number(all)}`
          : formatCount(all, "stock", "stocks", LOCALE)}
        {isPartial && ", loading the rest…"}
        {asOf && `. As of ${asOf}.`}
      </p>
      {narrowedBy && (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" class="link" onClick={onClear}>
            Clear<span class="vh"> {narrowedBy}</span>
          </button>
        </>
      )}
    </div>
  );
};

/** Enough rows to fill a window. */
const ROWS = Array.from({ length: 10 }, (_, index) => index);

export const ListSkeleton = ({ room: { isTable, rowPx } }: { readonly room: ListRoom }) => (
  <div class="stock-list" aria-busy="true" role="status" aria-label="Loading your stocks">
    {isTable && <div class="skeleton-head" />}
    {ROWS.map((row) => (
      <div key={row} class="skeleton-row" style={{ height: `${rowPx}px` }}>
        <i class="skeleton" />
        <i class="skeleton" />
      </div>
    ))}
  </div>
);
