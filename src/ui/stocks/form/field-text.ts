/** A field's value as a person reads it. */
import { ASSET_TYPES, fieldSpec, type StockFieldKey } from "../../../contract/stocks/stock-fields.ts";
import { AMOUNT_UNITS } from "../../format/amount-units.ts";
import { MISSING } from "../../format/format-number.ts";

const TYPE_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(ASSET_TYPES));

/** `value` is whatever the server or the form has for the field. It is only shown as text. */
export const fieldText = (field: StockFieldKey, value: unknown, currency: string, locale: string): string => {
  if (value === null || value === undefined || value === "") return MISSING;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.length === 0 ? MISSING : value.join(", ");
  const text = String(value);
  const { kind, unit } = fieldSpec(field);
  if (unit !== undefined) return AMOUNT_UNITS[unit].write(text, currency, locale);
  return kind === "choice" ? (TYPE_NAMES.get(text) ?? text) : text;
};
