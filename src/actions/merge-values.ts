/** Applies a merge patch to a stock's values, with the defaults of a new stock (api.md §5). */
import { DEFAULT_CURRENCY } from "../contract/stocks/currency-codes.ts";
import { NULLABLE_FIELDS, recordOf, STOCK_FIELD_KEYS } from "../contract/stocks/stock-field-keys.ts";
import type { StockDraft, StockPatch, StockValues } from "../contract/stocks/stock-values.ts";
import { compare, isHeld } from "./stock-figures.ts";

/** The time of a write (ISO 8601), and the source of a price that names none. */
export type Stamp = { readonly at: string; readonly priceSource: string };

/** The values of a new stock. */
export const freshValues = (draft: StockDraft, stamp: Stamp): StockValues =>
  merge(draft.symbol, undefined, draft, stamp);

/** The values after a patch: absent fields keep their value, null ones return to the default of a new stock. */
export const mergeValues = (base: StockValues, patch: StockPatch, stamp: Stamp): StockValues =>
  merge(patch.symbol ?? base.symbol, base, patch, stamp);

const merge = (symbol: string, base: StockValues | undefined, patch: StockPatch, stamp: Stamp): StockValues => {
  const nullable = recordOf(NULLABLE_FIELDS, (field) => pick(patch[field], base?.[field], null));
  return {
    ...IN_ORDER,
    ...nullable,
    symbol,
    name: pick(patch.name, base?.name, symbol),
    assetType: pick(patch.assetType, base?.assetType, "stock"),
    currency: pick(patch.currency, base?.currency, DEFAULT_CURRENCY),
    watched: pick(patch.watched, base?.watched, !isHeld(nullable)),
    ...mergePrice(base, patch, stamp),
    tags: pick(patch.tags, base?.tags, []),
  };
};

/** Spread first: answers list the fields in the order of the table. */
const IN_ORDER = recordOf(STOCK_FIELD_KEYS, () => null);

type PriceValues = Pick<StockValues, "lastPrice" | "lastPriceAt" | "lastPriceSource">;

/** A new price gets a new time and source; without a price there is neither. */
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

/**
 * What is wrong with a stock's values, as `<field>: <remedy>` joined by `; `; undefined when they are valid. Checks the rules
 * between fields, on the merged record, whichever field a patch touched.
 */
export const findProblems = (values: StockValues): string | undefined => {
  const { avgCost, targetLow, targetHigh, lastPrice, lastPriceAt, lastPriceSource } = values;
  const problems = [
    avgCost !== null && !isHeld(values) && "avgCost: needs a quantity above 0, otherwise set it to null",
    targetLow === "0" && "targetLow: use more than 0",
    targetHigh === "0" && "targetHigh: use more than 0",
    targetLow !== null &&
      targetHigh !== null &&
      compare(targetLow, targetHigh) >= 0 &&
      "targetLow: use less than targetHigh",
    lastPrice === null && lastPriceAt !== null && "lastPriceAt: needs a lastPrice",
    lastPrice === null && lastPriceSource !== null && "lastPriceSource: needs a lastPrice",
  ].filter((problem) => problem !== false);
  return problems.length === 0 ? undefined : problems.join("; ");
};
