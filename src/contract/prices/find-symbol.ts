/** `find-symbol`: listings by name, symbol or ISIN; the person's own stocks come first (api.md §8). */
import * as z from "zod";
import { StockId } from "../ids.ts";
import { wellFormed } from "../plain-text.ts";
import { AssetType } from "../stocks/stock-values.ts";

const Q_REMEDY = "use 1 to 100 characters";
const LIMIT_REMEDY = "use a whole number from 1 to 20";

export const FindSymbolInput = z.strictObject({
  q: z
    .string(Q_REMEDY)
    .overwrite(wellFormed)
    .trim()
    .min(1, Q_REMEDY)
    .max(100, Q_REMEDY)
    .describe("Part of a name, a symbol or an ISIN"),
  limit: z.int(LIMIT_REMEDY).min(1, LIMIT_REMEDY).max(20, LIMIT_REMEDY).default(10),
});
export type FindSymbolInput = z.infer<typeof FindSymbolInput>;

/** A listing. `source` is `list` for the person's own stock, otherwise where the listing was found. */
export const SymbolMatch = z.object({
  symbol: z.string(),
  /** Market code; null where the source names none. */
  exchange: z.string().nullable(),
  name: z.string(),
  assetType: AssetType,
  currency: z.string(),
  isin: z.string().nullable(),
  stockId: StockId.nullable(),
  /** False when the plan of the key does not include its prices. */
  inPlan: z.boolean(),
  source: z.string(),
});
export type SymbolMatch = z.infer<typeof SymbolMatch>;

/** Why a listing has no price, or a search no answer. */
const PriceRefusal = z.enum(["unknown", "plan", "budget", "auth", "down", "bad"]);

/** `unavailable`: why the source gave no answer. `matches` are then only the person's own stocks. */
export const FindSymbolOutput = z.object({ matches: z.array(SymbolMatch), unavailable: PriceRefusal.optional() });
export type FindSymbolOutput = z.infer<typeof FindSymbolOutput>;

const IDS_REMEDY = "use a list of at most 200 ids";

/** `refresh-quotes`: asks for prices now. Without ids, for all of the person's stocks that take prices. */
export const RefreshQuotesInput = z.strictObject({
  ids: z.array(z.string("use the stocks' ids"), IDS_REMEDY).max(200, IDS_REMEDY).optional(),
});
export type RefreshQuotesInput = z.infer<typeof RefreshQuotesInput>;

/** By symbol. `pending`: held back, not asked for yet, or without any trade today and any price before. */
export const RefreshQuotesOutput = z.object({
  accepted: z.array(z.string()),
  pending: z.array(z.string()),
  refused: z.array(z.object({ symbol: z.string(), reason: PriceRefusal, retryAt: z.iso.datetime().nullable() })),
});
export type RefreshQuotesOutput = z.infer<typeof RefreshQuotesOutput>;

/** How far back a chart goes. */
export const HistoryRange = z.enum(["1m", "6m", "1y", "5y", "max"], { error: "use 1m, 6m, 1y, 5y or max" });
export type HistoryRange = z.infer<typeof HistoryRange>;

/** Closes of a stock's listing, oldest first, at most 300. `asOf` is the close of the last day. */
export const PriceHistory = z.object({
  currency: z.string(),
  adjusted: z.literal("splits"),
  points: z.array(z.tuple([z.iso.date(), z.string()])),
  asOf: z.iso.datetime(),
  source: z.string(),
});
export type PriceHistory = z.infer<typeof PriceHistory>;
