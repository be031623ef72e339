/** A stock as in every answer (api.md §5). It never includes the owner. */
import * as z from "zod";
import { StockId } from "../ids.ts";
import { PRICE_FIELDS } from "../prices/price-fields.ts";
import { DecimalText } from "./decimal.ts";
import { ASSET_TYPES, type StockFieldKey } from "./stock-fields.ts";

/** The most live stocks that a person can have. */
export const MAX_LIVE_STOCKS = 5_000;

const isAssetType = (name: string): name is keyof typeof ASSET_TYPES => Object.hasOwn(ASSET_TYPES, name);

export const AssetType = z.enum(Object.keys(ASSET_TYPES).filter(isAssetType), {
  error: "use stock, etf, fund, index or other",
});
export type AssetType = z.infer<typeof AssetType>;

/** `holding`: quantity above 0. `watching`: not held, on the watchlist. `inactive`: neither. */
export const StockStatus = z.enum(["holding", "watching", "inactive"], { error: "use holding, watching or inactive" });
export type StockStatus = z.infer<typeof StockStatus>;

/** The last price relative to the targets. A price equal to a target has reached it. `none`: there is no target. */
export const TargetState = z.enum(["below_low", "above_high", "between", "none"]);
export type TargetState = z.infer<typeof TargetState>;

/** What people write about a stock; everything else is derived from it. Amounts are in `currency`. */
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
  /** Set if and only if there is a last price. */
  lastPriceAt: z.iso.datetime().nullable(),
  /** Where the last price comes from: `manual`, `import`, or a name the caller gave. */
  lastPriceSource: z.string().nullable(),
  sector: z.string().nullable(),
  tags: z.array(z.string()),
  notes: z.string().nullable(),
} satisfies Readonly<Record<StockFieldKey, z.ZodType>>);
export type StockValues = z.infer<typeof StockValues>;

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
