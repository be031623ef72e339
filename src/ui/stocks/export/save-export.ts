/** Writes stocks to a file that the person keeps. Loaded on demand, because few visits need it. */
import type { Stock } from "../../../contract/stocks/stock.ts";
import { pickFields, STOCK_FIELD_KEYS } from "../../../contract/stocks/stock-field-keys.ts";
import type { StockFieldKey } from "../../../contract/stocks/stock-fields.ts";
import type { StockValues } from "../../../contract/stocks/stock-values.ts";
import { saveFile } from "../../parts/save-file.ts";
import { guardCell, joinTags } from "../import/read/cells.ts";
import { columnLabel } from "../import/read/import-field.ts";

/** All fields of the table; null is an empty cell. The byte order mark tells Excel that the file is UTF-8. */
export const exportCsv = (
  stocks: readonly StockValues[],
  { withBom = true }: { readonly withBom?: boolean } = {},
): string => {
  const header = STOCK_FIELD_KEYS.map(columnLabel);
  const rows = stocks.map((stock) => STOCK_FIELD_KEYS.map((field) => cellOf(stock[field])));
  return (withBom ? "\ufeff" : "") + [header, ...rows].map((row) => `${row.map(quote).join(",")}\r\n`).join("");
};

/** Guarding never changes an amount, because amounts start with a digit. */
const cellOf = (value: StockValues[StockFieldKey]): string => {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return guardCell(typeof value === "string" ? value : joinTags(value));
};

/** Also quotes what only other programs would split, for example at `;`. Excel splits there even in quotes, see `guardCell`. */
const quote = (cell: string): string => (/[",;\t\r\n|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** `stocks-2026-11-20.csv`, with the day in UTC, so that names sort by time. */
export const exportFileName = (now: Date, kind: "csv" | "json"): string =>
  `stocks-${now.toISOString().slice(0, 10)}.${kind}`;

/**
 * `{exportedAt, stocks}`, one stock per line, so that two exports can be compared. Derived fields are left out, so that an import gives
 * the same stocks.
 */
export const exportJson = (stocks: readonly StockValues[], now: Date): string => {
  const lines = stocks.map((stock) => JSON.stringify(pickFields(stock, STOCK_FIELD_KEYS)));
  return `{"exportedAt":"${now.toISOString()}","stocks":[\n${lines.join(",\n")}\n]}\n`;
};

/** Sorted by symbol, then exchange, so that two exports can be compared line by line. True when nothing is left to do (`saveFile`). */
export const saveExport = async (stocks: readonly Stock[], kind: "csv" | "json", now: Date): Promise<boolean> => {
  const keyOf = ({ symbol, exchange }: Stock): string => `${symbol} ${exchange ?? ""}`;
  const sorted = [...stocks].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const text = kind === "csv" ? exportCsv(sorted) : exportJson(sorted, now);
  const type = kind === "csv" ? "text/csv;charset=utf-8" : "application/json";
  return await saveFile(new File([text], exportFileName(now, kind), { type }));
};
