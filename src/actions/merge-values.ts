/** A merge patch on a stock's values, with the defaults a fresh stock gets (CONTRACT §5). */
import { DEFAULT_CURRENCY } from "../contract/currency-codes.ts";
import type { StockValues } from "../contract/stock.ts";
import type { StockDraft, StockPatch } from "../contract/stock-draft.ts";
import { isHeld } from "./derive-figures.ts";

/** The time of a write (ISO 8601), and what a price without a source is said to come from. */
export type Stamp = { readonly at: string; readonly priceSource: string };

/** The values of a new stock. */
export const freshValues = (draft: StockDraft, stamp: Stamp): StockValues =>
  merge(draft.symbol, undefined, draft, stamp);

/** The values after a patch: absent fields stay, null ones go back to what a fresh stock would have. */
export const mergeValues = (base: StockValues, patch: StockPatch, stamp: Stamp): StockValues =>
  merge(patch.symbol ?? base.symbol, base, patch, stamp);

const merge = (symbol: string, base: StockValues | undefined, patch: StockPatch, stamp: Stamp): StockValues => {
  const quantity = pick(patch.quantity, base?.quantity, null);
  return {
    symbol,
    name: pick(patch.name, base?.name, symbol),
    exchange: pick(patch.exchange, base?.exchange, null),
    isin: pick(patch.isin, base?.isin, null),
    assetType: pick(patch.assetType, base?.assetType, "stock"),
    currency: pick(patch.currency, base?.currency, DEFAULT_CURRENCY),
    quantity,
    avgCost: pick(patch.avgCost, base?.avgCost, null),
    watched: pick(patch.watched, base?.watched, !isHeld({ quantity })),
    targetLow: pick(patch.targetLow, base?.targetLow, null),
    targetHigh: pick(patch.targetHigh, base?.targetHigh, null),
    ...mergePrice(base, patch, stamp),
    sector: pick(patch.sector, base?.sector, null),
    tags: pick(patch.tags, base?.tags, []),
    notes: pick(patch.notes, base?.notes, null),
  };
};

type PriceValues = Pick<StockValues, "lastPrice" | "lastPriceAt" | "lastPriceSource">;

/** A price that is given anew gets a new time and source; without a price neither is made up. */
const mergePrice = (base: StockValues | undefined, patch: StockPatch, stamp: Stamp): PriceValues => {
  const lastPrice = pick(patch.lastPrice, base?.lastPrice, null);
  const kept = patch.lastPrice === undefined && lastPrice !== null ? base : undefined;
  return {
    lastPrice,
    lastPriceAt: pick(patch.lastPriceAt, kept?.lastPriceAt, lastPrice === null ? null : stamp.at),
    lastPriceSource: pick(patch.lastPriceSource, kept?.lastPriceSource, lastPrice === null ? null : stamp.priceSource),
  };
};

const pick = <Value>(patched: Value | null | undefined, base: Value | undefined, reset: Value): Value =>
  patched === undefined && base !== undefined ? base : (patched ?? reset);
