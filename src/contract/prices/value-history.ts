/** `value-history`: what today's holdings were worth at past closes (api.md §8). */
import * as z from "zod";
import { DecimalText } from "../stocks/decimal.ts";
import { stockFilterFields } from "../stocks/stock-filter.ts";
import { HistoryRange } from "./find-symbol.ts";

export const ValueHistoryInput = z.strictObject({ ...stockFilterFields, range: HistoryRange });
export type ValueHistoryInput = z.infer<typeof ValueHistoryInput>;

/** Today's quantities at past closes and at today's exchange rates: not what the person held then. */
export const ValueHistoryOutput = z.object({
  /** The person's own. */
  currency: z.string(),
  /** The day of the exchange rates, of all points; null when none were needed. */
  ratesOn: z.iso.date().nullable(),
  /** Oldest first, at most 300. A day on which a holding had no close has no point. */
  points: z.array(z.tuple([z.iso.date(), DecimalText])),
  /** The holding with the shortest history, if that is shorter than the range: no point is before its first close. */
  shortest: z.string().nullable(),
  /** Symbols of holdings that are in none of the points: without recent closes, without a rate, or with an unanswered split. */
  without: z.array(z.string()),
  /** How many holdings there are beyond the largest 100; they are in none of the points either. */
  more: z.int().nonnegative(),
  /** Whose closes these are. */
  sources: z.array(z.string()),
});
export type ValueHistoryOutput = z.infer<typeof ValueHistoryOutput>;
