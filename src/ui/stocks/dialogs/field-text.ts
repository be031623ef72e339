/** A field's value as a person reads it, for the history and for telling two versions apart. */
import { formatPrice } from "../../format/format-price.ts";
import { formatQuantity } from "../../format/format-quantity.ts";
import { MISSING } from "../../format/missing.ts";
import { ASSET_TYPES, type StockField } from "./stock-field.ts";

const PRICES: ReadonlySet<string> = new Set<StockField>(["avgCost", "targetLow", "targetHigh", "lastPrice"]);

/** `value` is whatever the wire or the form has; it is only ever shown as text. */
export const fieldText = (field: StockField, value: unknown, currency: string, locale: string): string => {
  if (value === null || value === undefined || value === "") return MISSING;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.length === 0 ? MISSING : value.join(", ");
  const text = String(value);
  if (PRICES.has(field)) return formatPrice(text, currency, locale);
  if (field === "quantity") return formatQuantity(text, locale);
  if (field === "assetType") return ASSET_TYPES.find(([type]) => type === text)?.[1] ?? text;
  return text;
};
