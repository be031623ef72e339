/** The fields of a stock that a person fills in, and what they are called on the screen. */
import type { StockValues } from "../../../contract/stock.ts";

/** A field of the form. When and whence a price comes is stamped by the server. */
export type StockField = Exclude<keyof StockValues, "lastPriceAt" | "lastPriceSource">;

/** In the order of the form. */
export const FIELD_LABELS: Readonly<Record<StockField, string>> = {
  symbol: "Symbol",
  name: "Name",
  quantity: "Quantity",
  avgCost: "Average cost per share",
  currency: "Currency",
  lastPrice: "Last price",
  watched: "On the watchlist",
  targetLow: "Buy at or below",
  targetHigh: "Sell at or above",
  tags: "Tags",
  notes: "Notes",
  assetType: "Type",
  exchange: "Exchange",
  isin: "ISIN",
  sector: "Sector",
};

/** Whether a name of the wire is one of the form's fields. */
export const isStockField = (name: string): name is StockField => Object.hasOwn(FIELD_LABELS, name);

/** All fields, in the order of the form. */
export const STOCK_FIELDS: readonly StockField[] = Object.keys(FIELD_LABELS).filter(isStockField);

/** Types as a person reads them. */
export const ASSET_TYPES = [
  ["stock", "Stock"],
  ["etf", "ETF"],
  ["fund", "Fund"],
  ["index", "Index"],
  ["other", "Other"],
] as const;
