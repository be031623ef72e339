/** A stock as every answer shows it (CONTRACT §5). The owner is never part of it. */
import * as z from "zod";
import { DecimalText } from "./decimal.ts";
import { StockId } from "./ids.ts";

/** Live stocks a person can have. */
export const MAX_LIVE_STOCKS = 5_000;

export const AssetType = z.enum(["stock", "etf", "fund", "index", "other"], {
  error: "use stock, etf, fund, index or other",
});
export type AssetType = z.infer<typeof AssetType>;

/** `holding`: quantity above 0. `watching`: not held, on the watchlist. `inactive`: neither. */
export const StockStatus = z.enum(["holding", "watching", "inactive"], { error: "use holding, watching or inactive" });
export type StockStatus = z.infer<typeof StockStatus>;

/** Where the last price stands. Reaching a target counts as a hit; `between` is no hit; `none` has no target. */
export const TargetState = z.enum(["below_low", "above_high", "between", "none"]);
export type TargetState = z.infer<typeof TargetState>;

/** What a person says about a stock; everything else follows from it. Amounts are in `currency`. */
export const StockValues = z.object({
  symbol: z.string(),
  name: z.string(),
  /** Market identifier code (ISO 10383). */
  exchange: z.string().nullable(),
  isin: z.string().nullable(),
  assetType: AssetType,
  currency: z.string(),
  quantity: DecimalText.nullable(),
  /** Per share. Only with a quantity above 0. */
  avgCost: DecimalText.nullable(),
  /** On the watchlist, whether held or not. */
  watched: z.boolean(),
  targetLow: DecimalText.nullable(),
  targetHigh: DecimalText.nullable(),
  lastPrice: DecimalText.nullable(),
  /** Set exactly when there is a last price. */
  lastPriceAt: z.iso.datetime().nullable(),
  /** Where the last price comes from: `manual`, `import`, or a name the caller gave. */
  lastPriceSource: z.string().nullable(),
  sector: z.string().nullable(),
  tags: z.array(z.string()),
  notes: z.string().nullable(),
});
export type StockValues = z.infer<typeof StockValues>;

/** What follows from a stock's values. Null is unknown and never stands for 0. */
export const StockFigures = z.object({
  status: StockStatus,
  marketValue: DecimalText.nullable(),
  costBasis: DecimalText.nullable(),
  gain: DecimalText.nullable(),
  gainPct: DecimalText.nullable(),
  targetState: TargetState.nullable(),
  /** How far the price has to move to the nearest target, in per cent of the price; 0 or less is a hit. */
  distanceToTargetPct: DecimalText.nullable(),
});
export type StockFigures = z.infer<typeof StockFigures>;

/** Who changed a stock last. */
export const UpdatedVia = z.enum(["screen", "agent", "import"]);
export type UpdatedVia = z.infer<typeof UpdatedVia>;

export const Stock = z.object({
  id: StockId,
  ...StockValues.shape,
  ...StockFigures.shape,
  /** 1 for a new stock, one more with every change. */
  version: z.int().positive(),
  updatedVia: UpdatedVia,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Set while the stock is in the trash. */
  deletedAt: z.iso.datetime().nullable(),
});
export type Stock = z.infer<typeof Stock>;
