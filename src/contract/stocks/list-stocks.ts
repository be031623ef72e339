/** `list-stocks`: a page of the caller's stocks, with count and totals over the whole filter (api.md §5). */
import * as z from "zod";
import { DecimalText } from "./decimal.ts";
import { Stock } from "./stock.ts";
import { SortField, SortOrder, stockFilterFields } from "./stock-filter.ts";

const LIMIT_REMEDY = "use a whole number from 1 to 200";

/** The message of the 400 for a cursor of another list. */
export const CURSOR_REMEDY = "use the nextCursor of the same list, with the same filters and sort";

export const ListStocksInput = z.strictObject({
  ...stockFilterFields,
  sort: SortField.default("symbol").describe("Stocks without a value come last in both orders"),
  order: SortOrder.default("asc"),
  spark: z.boolean("use true or false").optional().describe("Adds the last closes of each stock, for a small line"),
  limit: z.int(LIMIT_REMEDY).min(1, LIMIT_REMEDY).max(200, LIMIT_REMEDY).default(50),
  cursor: z.string(CURSOR_REMEDY).optional().describe("nextCursor of the previous page; empty for the first"),
});
export type ListStocksInput = z.infer<typeof ListStocksInput>;

/** Sums over the holdings in one currency, including its hundredths, such as GBX for GBP. Null: nothing is known. */
export const CurrencyTotal = z.object({
  currency: z.string(),
  cost: DecimalText.nullable(),
  value: DecimalText.nullable(),
  /** Over the holdings whose cost and price are both known. */
  gain: DecimalText.nullable(),
});
export type CurrencyTotal = z.infer<typeof CurrencyTotal>;

/** The same sums over all currencies, in the person's own. A part is null when nothing is known of it. */
export const BaseTotal = z.object({
  currency: z.string(),
  value: DecimalText.nullable(),
  cost: DecimalText.nullable(),
  gain: DecimalText.nullable(),
  /**
   * The gain in per cent of what its holdings cost, to 4 decimals; also null when that cost is 0. Known without a rate if there is only
   * one currency.
   */
  gainPct: DecimalText.nullable(),
  /** What the last prices add to or take from the close before, times the quantities. */
  dayChange: DecimalText.nullable(),
  /** In per cent of what the holdings with such a change were worth before it, to 4 decimals; also null when that worth is 0. */
  dayChangePct: DecimalText.nullable(),
  /** The day of the exchange rates; null when none were needed. */
  ratesOn: z.iso.date().nullable(),
  /** How much of the filter's currencies, and of `currency`, one euro is worth; empty when no rates are stored. */
  rates: z.record(z.string(), DecimalText).default({}),
  /** Currencies without a rate, whose amounts are in none of the sums. */
  missing: z.array(z.string()),
  /** The oldest price of a holding. */
  pricedAsOf: z.iso.datetime().nullable(),
  /** Holdings whose price is older than the last session. */
  staleCount: z.int().nonnegative(),
});
export type BaseTotal = z.infer<typeof BaseTotal>;

export const ListStocksOutput = z.object({
  items: z.array(Stock),
  /** The number of stocks that match the filter, on all pages. */
  total: z.int().nonnegative(),
  /** Opaque; null on the last page. */
  nextCursor: z.string().nullable(),
  /** Sorted by currency code. */
  totals: z.array(CurrencyTotal),
  base: BaseTotal,
});
export type ListStocksOutput = z.infer<typeof ListStocksOutput>;
