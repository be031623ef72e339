/** Stocks as CSV (RFC 4180) that comes back in unchanged and that no spreadsheet runs. */
import type { StockValues } from "../../../contract/stock.ts";
import { guardCell } from "../import/formula-guard.ts";
import { FIELD_LABELS, STOCK_FIELDS, type StockField } from "../import/import-field.ts";
import { joinTags } from "../import/tag-cell.ts";

/** Every field that can be written; null as an empty cell. `withBom` lets Excel see that it is UTF-8. */
export const exportCsv = (
  stocks: readonly StockValues[],
  { withBom = true }: { readonly withBom?: boolean } = {},
): string => {
  const header = STOCK_FIELDS.map((field) => FIELD_LABELS[field]);
  const rows = stocks.map((stock) => STOCK_FIELDS.map((field) => cellOf(stock[field])));
  return (withBom ? "\ufeff" : "") + [header, ...rows].map((row) => `${row.map(quote).join(",")}\r\n`).join("");
};

/** Amounts are never guarded: they are 0 or more and begin with a digit. */
const cellOf = (value: StockValues[StockField]): string => {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return guardCell(typeof value === "string" ? value : joinTags(value));
};

/** Quoted also where only other readers would split it: some take `;` for a delimiter. */
const quote = (cell: string): string => (/[",;\t\r\n|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
