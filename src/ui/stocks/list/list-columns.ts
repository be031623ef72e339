/** The columns of the table and the heights of rows. */
import type { SortField } from "../../../contract/stock-filter.ts";

/** Heights of a row, in px. Fixed, so that those that are not on the page can be counted. `styles/stocks.css` has them too. */
export const ROW_HEIGHTS = { card: 88, row: 64 } as const;

/** Columns that can be sorted by, in their order. */
export const SORT_COLUMNS: readonly { readonly field: SortField; readonly label: string; readonly kind: string }[] = [
  { field: "symbol", label: "Symbol", kind: "stock" },
  { field: "lastPrice", label: "Last", kind: "num" },
  { field: "marketValue", label: "Value", kind: "num" },
  { field: "gainPct", label: "Gain", kind: "num" },
  { field: "distanceToTarget", label: "Target", kind: "target" },
];
