/** A read form as what `add-stock` and `update-stock` take. */
import type { StockDraft, StockPatch } from "../../../contract/stock-draft.ts";
import type { FormReading } from "./read-form.ts";

/** A new stock: what is empty is left to the server's defaults. */
export const draftOf = ({ tags, ...values }: FormReading): StockDraft => ({
  symbol: values.symbol,
  name: values.name ?? undefined,
  exchange: values.exchange ?? undefined,
  isin: values.isin ?? undefined,
  assetType: values.assetType,
  currency: values.currency,
  quantity: values.quantity ?? undefined,
  avgCost: values.avgCost ?? undefined,
  lastPrice: values.lastPrice ?? undefined,
  watched: values.watched,
  targetLow: values.targetLow ?? undefined,
  targetHigh: values.targetHigh ?? undefined,
  sector: values.sector ?? undefined,
  tags: tags.length === 0 ? undefined : [...tags],
  notes: values.notes ?? undefined,
});

/** What has to be sent so that `base` becomes `now`: changed fields alone; undefined when there is none. */
export const patchOf = (base: FormReading, now: FormReading): StockPatch | undefined => {
  const symbol = changed(base.symbol, now.symbol);
  const patch: StockPatch = {
    symbol,
    // A name that follows the symbol is kept with the stock: it has to be told to follow again.
    name: symbol !== undefined && now.name === null ? null : changed(base.name, now.name),
    exchange: changed(base.exchange, now.exchange),
    isin: changed(base.isin, now.isin),
    assetType: changed(base.assetType, now.assetType),
    currency: changed(base.currency, now.currency),
    quantity: changed(base.quantity, now.quantity),
    avgCost: changed(base.avgCost, now.avgCost),
    lastPrice: changed(base.lastPrice, now.lastPrice),
    watched: changed(base.watched, now.watched),
    targetLow: changed(base.targetLow, now.targetLow),
    targetHigh: changed(base.targetHigh, now.targetHigh),
    sector: changed(base.sector, now.sector),
    tags: changed([...base.tags], [...now.tags]),
    notes: changed(base.notes, now.notes),
  };
  return Object.values(patch).some((value) => value !== undefined) ? patch : undefined;
};

const changed = <Value>(base: Value, now: Value): Value | undefined =>
  JSON.stringify(base) === JSON.stringify(now) ? undefined : now;
