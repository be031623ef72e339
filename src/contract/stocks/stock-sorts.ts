/** What a list of stocks can be sorted by. Without zod and without the table of fields, because the first paint needs it. */
import type { SortableField } from "./stock-field-keys.ts";

/** Figures and times, which nobody types in. */
type SortableFigure = "marketValue" | "gainPct" | "dayChangePct" | "distanceToTarget" | "updatedAt" | "createdAt";

type SortSpec = readonly [label: string, order: "asc" | "desc", compares: "text" | "amount" | "time"];

/** The label, the first direction, and how values compare, in the order in which a person is offered them. */
export const STOCK_SORTS = {
  symbol: ["Symbol", "asc", "text"],
  name: ["Name", "asc", "text"],
  marketValue: ["Value", "desc", "amount"],
  gainPct: ["Gain, %", "desc", "amount"],
  dayChangePct: ["Today, %", "desc", "amount"],
  lastPrice: ["Last price", "desc", "amount"],
  distanceToTarget: ["Target distance", "asc", "amount"],
  quantity: ["Quantity", "desc", "amount"],
  avgCost: ["Average cost", "desc", "amount"],
  updatedAt: ["Last changed", "desc", "time"],
  createdAt: ["Added", "desc", "time"],
} as const satisfies Readonly<Record<SortableField | SortableFigure, SortSpec>>;

export type SortField = keyof typeof STOCK_SORTS;

/** Whether a name is that of a sort. */
export const isSortField = (name: string): name is SortField => Object.hasOwn(STOCK_SORTS, name);

export const SORT_FIELDS: readonly SortField[] = Object.keys(STOCK_SORTS).filter(isSortField);

/** The field of the record that a sort compares. */
export const sortedField = (sort: SortField) => (sort === "distanceToTarget" ? "distanceToTargetPct" : sort);
