/** Titles of the agent's changes to a stock, as tool cards and permission requests show them. */
import { isStockField } from "./stock-field-keys.ts";
import { cardLabel, fieldSpec } from "./stock-fields.ts";

/** A field as it is named within a sentence: `buy target` for `targetLow`, and `dry run` for `dryRun`, which no stock has. */
export const fieldWords = (field: string): string =>
  isStockField(field)
    ? (fieldSpec(field).inSentence ?? cardLabel(field).toLowerCase())
    : field.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

type StockUpdate = { readonly set?: Readonly<Record<string, unknown>> | undefined; readonly restore?: unknown };

/** `Set AMZN's buy target`, `Clear AMZN's notes`, `Watch AMZN`, `Restore AMZN`; without a symbol `Set buy target`. */
export const updateTitle = ({ set = {}, restore }: StockUpdate, symbol?: string): string => {
  const stock = symbol ?? "a stock";
  const fields = Object.keys(set);
  if (restore === true) return `Restore ${stock}`;
  if (fields.length === 0) return `Leave ${stock} unchanged`;
  if (fields.length === 1 && typeof set.watched === "boolean")
    return `${set.watched ? "Watch" : "Stop watching"} ${stock}`;
  if (fields.length === 1 && typeof set.notify === "boolean")
    return `${set.notify ? "Give" : "Stop"} notice of ${stock}'s targets`;
  const verb = fields.every((field) => set[field] === null) ? "Clear" : "Set";
  const names = fields.map(fieldWords);
  const last = names.pop();
  const list = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  return symbol === undefined ? `${verb} ${list}` : `${verb} ${symbol}'s ${list}`;
};

/** `Delete AMZN`, `Delete 3 stocks`. `ids` undefined is one stock. */
export const deleteTitle = (ids: readonly unknown[] | undefined, symbol?: string): string =>
  ids === undefined ? `Delete ${symbol ?? "a stock"}` : `Delete ${ids.length} stocks`;
