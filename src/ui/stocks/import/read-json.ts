/** Our own JSON export, or any list of objects with a stock's fields. */
import { POINT_SEPARATORS } from "../../format/separators.ts";
import { draftOfCells } from "./draft-of-cells.ts";
import { guardCell } from "./formula-guard.ts";
import { type ImportField, STOCK_FIELDS } from "./import-field.ts";
import { MAX_IMPORT_ROWS, MAX_SOURCE_LENGTH } from "./import-limits.ts";
import type { ImportOutcome, ImportRow } from "./import-row.ts";
import { joinTags } from "./tag-cell.ts";

/** `line` is the item's place in the list, from 1. */
export type ReadJson = { readonly rows: readonly ImportRow[] } | { readonly problem: string };

/** Whether a text means to be JSON. */
export const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** Never throws. Takes `{stocks: […]}` or the list itself. */
export const readJson = (text: string): ReadJson => {
  const items = itemsOf(parse(text));
  if (items === undefined) return { problem: "This JSON has no list of stocks. Use an export of this app, or CSV." };
  if (items.length > MAX_IMPORT_ROWS) return { problem: "There are more than 5,000 stocks. Import them in parts." };
  return {
    rows: items.map((item, index) => ({
      line: index + 1,
      lastLine: index + 1,
      source: JSON.stringify(item).slice(0, MAX_SOURCE_LENGTH),
      ...outcomeOf(item),
    })),
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is the same to the person as JSON without stocks; both are told in one sentence.
    return undefined;
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const itemsOf = (value: unknown): readonly unknown[] | undefined => {
  const items: unknown = isObject(value) ? value.stocks : value;
  return Array.isArray(items) ? items : undefined;
};

const outcomeOf = (item: unknown): ImportOutcome => {
  if (!isObject(item)) return { kind: "problem", problem: "This is no stock: an object with a symbol is needed." };
  return draftOfCells({
    cell: (field) => cellOf(item, field),
    separators: () => POINT_SEPARATORS,
    isOwn: true,
    currency: undefined,
  });
};

/** A value as the cell that would be read to it. */
const cellOf = (item: Readonly<Record<string, unknown>>, field: ImportField): string => {
  const value = STOCK_FIELDS.some((known) => known === field) ? item[field] : undefined;
  if (Array.isArray(value)) return guardCell(joinTags(value.filter((tag) => typeof tag === "string")));
  if (typeof value === "string") return guardCell(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
};
