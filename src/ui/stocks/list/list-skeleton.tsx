/** The list before its first page is here, as high as it will be. */
import { ROW_HEIGHTS } from "./list-columns.ts";

/** Enough to fill a window. */
const ROWS = Array.from({ length: 10 }, (_, index) => index);

/** Grey rows. */
export const ListSkeleton = ({ isNarrow }: { readonly isNarrow: boolean }) => (
  <div class="stock-list" aria-busy="true" role="status" aria-label="Loading your stocks">
    {!isNarrow && <div class="skeleton-head" />}
    {ROWS.map((row) => (
      <div key={row} class="skeleton-row" style={{ height: `${ROW_HEIGHTS[isNarrow ? "card" : "row"]}px` }}>
        <i class="skeleton" />
        <i class="skeleton" />
      </div>
    ))}
  </div>
);
