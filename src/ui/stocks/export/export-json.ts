/** Stocks as JSON that comes back in unchanged: the fields that can be written, and nothing that is derived. */
import type { StockValues } from "../../../contract/stock.ts";
import { STOCK_FIELDS } from "../import/import-field.ts";

/** `{exportedAt, stocks}`, indented. */
export const exportJson = (stocks: readonly StockValues[], now: Date): string => {
  const items = stocks.map((stock) => Object.fromEntries(STOCK_FIELDS.map((field) => [field, stock[field]])));
  return `${JSON.stringify({ exportedAt: now.toISOString(), stocks: items }, null, 2)}\n`;
};
