/** What the columns of a table hold: by the names in its header, by the program it comes from, by the person's word. */
import type { ColumnMapping } from "./import-choices.ts";
import { FIELD_LABELS, fieldOfHeader, foldHeader, type ImportField, STOCK_FIELDS } from "./import-field.ts";

/** `own` is our export; `table` any other table. */
export type TableOrigin = "own" | "yahoo" | "wealthfolio" | "table";

export type ImportColumn = {
  /** Place in the row, from 0. */
  readonly index: number;
  /** The header's text, or `Column 1` without a header. */
  readonly name: string;
  /** Null: the column is left out. */
  readonly field: ImportField | null;
  /** The first text in it, to recognize it by. */
  readonly example: string;
};

const OWN_HEADERS = STOCK_FIELDS.map((field) => foldHeader(FIELD_LABELS[field]));
const YAHOO_HEADERS = ["symbol", "currentprice", "purchaseprice", "highlimit", "lowlimit"];
const WEALTHFOLIO_HEADERS = ["currency", "date", "price", "quantity", "symbol"];

/** Names that mean something else in these files than elsewhere, or that are too vague elsewhere. */
const NAMES_OF_ORIGIN: Readonly<Record<TableOrigin, Readonly<Record<string, ImportField>>>> = {
  own: {},
  yahoo: { date: "lastPriceAt" },
  wealthfolio: { date: "snapshotDate", price: "avgCost" },
  table: {},
};

/** The program that writes such headers. */
export const tableOrigin = (headers: readonly string[]): TableOrigin => {
  const folded = new Set(headers.map(foldHeader));
  if (OWN_HEADERS.every((header) => folded.has(header))) return "own";
  if (YAHOO_HEADERS.every((header) => folded.has(header))) return "yahoo";
  return [...folded].sort().join() === WEALTHFOLIO_HEADERS.join() ? "wealthfolio" : "table";
};

/** Whether a row names columns: a symbol's at least, or any two. */
export const isHeader = (cells: readonly string[]): boolean => {
  const fields = cells.map(fieldOfHeader).filter((field) => field !== undefined);
  return fields.includes("symbol") || new Set(fields).size >= 2;
};

/** Columns with their fields; a field is held by one column, the chosen one or else the first. */
export const readColumns = (
  names: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  origin: TableOrigin,
  mapping: ColumnMapping,
): readonly ImportColumn[] => {
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), names?.length ?? 0);
  const places = Array.from({ length: width }, (_, index) => index);
  const guesses = places.map((index) => guessField(names, index, origin));
  const chosen = new Set(places.map((index) => mapping[index]).filter((field) => field != null));
  const taken = new Set<ImportField>();
  const claim = (field: ImportField | null | undefined): ImportField | null => {
    if (field == null || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  return places.map((index) => {
    const choice = mapping[index];
    const guess = guesses[index];
    const isFree = guess !== undefined && !chosen.has(guess);
    return {
      index,
      name: names?.[index]?.trim() || `Column ${index + 1}`,
      field: claim(choice === undefined ? (isFree ? guess : null) : choice),
      example:
        rows
          .find((cells) => cells[index]?.trim())
          ?.[index]?.trim()
          .slice(0, 80) ?? "",
    };
  });
};

const guessField = (
  names: readonly string[] | undefined,
  index: number,
  origin: TableOrigin,
): ImportField | undefined => {
  if (names === undefined) return index === 0 ? "symbol" : undefined;
  const name = names[index] ?? "";
  return NAMES_OF_ORIGIN[origin][foldHeader(name)] ?? fieldOfHeader(name);
};
