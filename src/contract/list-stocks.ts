/** `list-stocks`: a page of the caller's stocks, with count and totals over the whole filter (CONTRACT §5). */
import * as z from "zod";
import { DecimalText } from "./decimal.ts";
import { Stock } from "./stock.ts";
import { SortField, SortOrder, stockFilterFields } from "./stock-filter.ts";

const LIMIT_REMEDY = "use a whole number from 1 to 200";

/** Text of the 400 for a cursor that is not this list's own. */
export const CURSOR_REMEDY = "use the nextCursor of the same list, with the same filters and sort";

export const ListStocksInput = z.strictObject({
  ...stockFilterFields,
  sort: SortField.default("symbol").describe("Stocks without a value come last in both orders"),
  order: SortOrder.default("asc"),
  limit: z.int(LIMIT_REMEDY).min(1, LIMIT_REMEDY).max(200, LIMIT_REMEDY).default(50),
  cursor: z.string(CURSOR_REMEDY).optional().describe("nextCursor of the page before; empty for the first"),
});
export type ListStocksInput = z.infer<typeof ListStocksInput>;

/** Sums over the holdings of one currency; hundredths such as GBX count into their currency. Null: nothing known. */
export const CurrencyTotal = z.object({
  currency: z.string(),
  cost: DecimalText.nullable(),
  value: DecimalText.nullable(),
  /** Over the holdings of which both cost and price are known. */
  gain: DecimalText.nullable(),
});
export type CurrencyTotal = z.infer<typeof CurrencyTotal>;

export const ListStocksOutput = z.object({
  items: z.array(Stock),
  /** Stocks that pass the filter, on all pages together. */
  total: z.int().nonnegative(),
  /** Opaque; null on the last page. */
  nextCursor: z.string().nullable(),
  /** By currency code. */
  totals: z.array(CurrencyTotal),
});
export type ListStocksOutput = z.infer<typeof ListStocksOutput>;
