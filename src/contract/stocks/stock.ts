/** A stock as in every answer (api.md §5). It never includes the owner. */
import * as z from "zod";
import { StockId } from "../ids.ts";
import { PRICE_FIELDS } from "../prices/price-fields.ts";
import { DecimalText } from "./decimal.ts";
import { StockValues } from "./stock-values.ts";

/** The most live stocks that a person can have. */
export const MAX_LIVE_STOCKS = 5_000;

/** The most stocks in a person's trash while new ones can be added: enough to replace a full list twice in 30 days. */
export const MAX_TRASHED_STOCKS = 10_000;

/** `holding`: quantity above 0. `watching`: not held, on the watchlist. `inactive`: neither. */
export const StockStatus = z.enum(["holding", "watching", "inactive"], { error: "use holding, watching or inactive" });
export type StockStatus = z.infer<typeof StockStatus>;

/** The last price relative to the targets. A price equal to a target has reached it. `none`: there is no target. */
export const TargetState = z.enum(["below_low", "above_high", "between", "none"]);
export type TargetState = z.infer<typeof TargetState>;

/** Derived from a stock's values. Null means unknown, never 0. */
export const StockFigures = z.object({
  status: StockStatus,
  marketValue: DecimalText.nullable(),
  costBasis: DecimalText.nullable(),
  gain: DecimalText.nullable(),
  gainPct: DecimalText.nullable(),
  targetState: TargetState.nullable(),
  /** How far the price has to move to reach the nearest target, in percent of the price. 0 or less: reached. */
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
  ...PRICE_FIELDS,
  /** The last closes, oldest first, from 0 to 100 between the lowest and the highest; only where asked for. */
  spark: z.array(z.int().min(0).max(100)).min(2).max(30).nullable().optional(),
  /** 1 for a new stock, one more with every change. */
  version: z.int().positive(),
  updatedVia: UpdatedVia,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Set while the stock is in the trash. */
  deletedAt: z.iso.datetime().nullable(),
});
export type Stock = z.infer<typeof Stock>;
