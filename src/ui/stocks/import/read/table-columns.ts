/** Finds the field of each column: by its header, by the program that wrote the file, or by the person's choice. */
import Papa from "papaparse";
import { STOCK_FIELD_KEYS } from "../../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../../contract/stocks/stock-fields.ts";
import { findCurrencyColumn, namesByIsin } from "./by-isin.ts";
import { readAssetType } from "./cells.ts";
import { type ColumnMapping, MAX_IMPORT_ROWS, MAX_SOURCE_LENGTH } from "./import-choices.ts";
import { columnLabel, currencyOfHeaders, fieldOfHeader, foldHeader, type ImportField } from "./import-field.ts";
import type { ImportPlace } from "./import-row.ts";
import { mayBeIds, namesByPosition } from "./positions.ts";
import { TRADE_NAMES } from "./trades/trade-columns.ts";

/** `own` is our export; `trades` a file of purchases and sales; `table` any other table. */
export type TableOrigin = "own" | "yahoo" | "wealthfolio" | "trades" | "table";

export type ImportColumn = {
  /** Index in the row, from 0. */
  readonly index: number;
  /** The header, or `Column 1` without one. */
  readonly name: string;
  /** Null leaves the column out. */
  readonly field: ImportField | null;
  /** The first value in the column. */
  readonly example: string;
};

/** The columns of every export that we have ever written. */
const OWN_HEADERS = STOCK_FIELD_KEYS.filter((field) => !fieldSpec(field).isLater).map((field) =>
  foldHeader(columnLabel(field)),
);

const YAHOO_HEADERS = ["symbol", "currentprice", "purchaseprice", "highlimit", "lowlimit"];

const WEALTHFOLIO_HEADERS = ["currency", "date", "price", "quantity", "symbol"];

/** Headers that mean something else in the files of these programs, or that are too vague in other files. */
const NAMES_OF_ORIGIN: Readonly<Record<TableOrigin, Readonly<Record<string, ImportField>>>> = {
  own: {},
  yahoo: { date: "lastPriceAt" },
  wealthfolio: { date: "snapshotDate", price: "avgCost" },
  trades: TRADE_NAMES,
  table: {},
};

/** Purchases alone need no dates, and dates of other lines are not those of a trade. */
const YAHOO_TRADES = { ...NAMES_OF_ORIGIN.yahoo, tradedate: "snapshotDate" } as const;

/** The program that writes these headers. */
export const tableOrigin = (headers: readonly string[]): TableOrigin => {
  const folded = new Set(headers.map(foldHeader));
  if (OWN_HEADERS.every((header) => folded.has(header))) return "own";
  if (YAHOO_HEADERS.every((header) => folded.has(header))) return "yahoo";
  return [...folded].sort().join() === WEALTHFOLIO_HEADERS.join() ? "wealthfolio" : "table";
};

/** Columns with their fields. Each field belongs to one column: the chosen one, otherwise the first. */
export const readColumns = (
  names: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  { origin, hasTrades }: { readonly origin: TableOrigin; readonly hasTrades: boolean },
  mapping: ColumnMapping,
): readonly ImportColumn[] => {
  const ofOrigin = origin === "yahoo" && hasTrades ? YAHOO_TRADES : NAMES_OF_ORIGIN[origin];
  const known =
    origin === "own" ? ofOrigin : { ...namesByIsin(names ?? []), ...namesByPosition(names ?? []), ...ofOrigin };
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), names?.length ?? 0);
  const places = Array.from({ length: width }, (_, index) => index);
  const guesses = withoutVague(
    places.map((index) => ({
      name: names?.[index] ?? "",
      guess: guessField(names, index, known),
      choice: mapping[index],
    })),
    rows,
  );
  // Portfolio Performance has a column of tickers, which is blank for anybody who has never filled it.
  const isBlankSymbol = (index: number): boolean =>
    guesses[index] === "symbol" && guesses.includes("isin") && rows.every((cells) => !cells[index]?.trim());
  const chosen = new Set(places.map((index) => mapping[index]).filter((field) => field != null));
  const taken = new Set<ImportField>();
  const claim = (field: ImportField | null | undefined): ImportField | null => {
    if (field == null || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  const fields = places.map((index) => {
    const choice = mapping[index];
    const guess = isBlankSymbol(index) ? undefined : guesses[index];
    const isFree = guess !== undefined && !chosen.has(guess);
    return claim(choice === undefined ? (isFree ? guess : null) : choice);
  });
  const isUnused = (index: number): boolean => fields[index] === null && mapping[index] === undefined;
  const ofHeaders = currencyOfHeaders(
    places.map((index) => ({ name: names?.[index] ?? "", field: fields[index] ?? null })),
  );
  const isNamed = taken.has("currency") || ofHeaders !== undefined;
  const currencies = isNamed ? undefined : findCurrencyColumn(names ?? [], rows, isUnused);
  return places.map((index) => ({
    index,
    name: names?.[index]?.trim() || `Column ${index + 1}`,
    field: index === currencies ? "currency" : (fields[index] ?? null),
    example:
      rows
        .find((cells) => cells[index]?.trim())
        ?.[index]?.trim()
        .slice(0, 80) ?? "",
  }));
};

const guessField = (
  names: readonly string[] | undefined,
  index: number,
  known: Readonly<Record<string, ImportField>>,
): ImportField | undefined => {
  if (names === undefined) return index === 0 ? "symbol" : undefined;
  const name = names[index] ?? "";
  return known[foldHeader(name)] ?? fieldOfHeader(name);
};

/** Headers that are above symbols in some files, and in others above names, beside another column of symbols. */
export const VAGUE_NAMES: ReadonlySet<string> = new Set(["stock", "instrument", "wertpapier"]);

type Guess = {
  readonly name: string;
  readonly guess: ImportField | undefined;
  readonly choice: ColumnMapping[number] | undefined;
};

const withoutVague = (
  columns: readonly Guess[],
  rows: readonly (readonly string[])[],
): readonly (ImportField | undefined)[] => {
  const isVague = ({ name, guess }: Guess): boolean => guess === "symbol" && VAGUE_NAMES.has(foldHeader(name));
  const isCategory = ({ name }: Guess): boolean => foldHeader(name) === "assetcategory";
  const symbols = columns.findIndex((column) => column.guess === "symbol" && !isVague(column));
  const hasNames = columns.some(({ guess }) => guess === "name");
  const hasTypes = columns.some(
    (column) => !isCategory(column) && (column.choice === undefined ? column.guess : column.choice) === "assetType",
  );
  const hasCounts = columns.some(({ name, guess }) => guess === "quantity" && !mayBeIds(name));
  return columns.map((column, index) => {
    if ((isCategory(column) && hasTypes) || (hasCounts && mayBeIds(column.name))) return undefined;
    if (!isVague(column) || symbols < 0) return column.guess;
    return hasNames || !areNames(rows.map((cells) => [cells[symbols] ?? "", cells[index] ?? ""])) ? undefined : "name";
  });
};

/** Whether each cell belongs to one symbol, and most cells are not types such as "Equity". "Vanguard Total Stock Market ETF" is a name. */
const areNames = (cells: readonly (readonly [symbol: string, cell: string])[]): boolean => {
  const filled = cells.map((pair) => pair.map((cell) => cell.trim())).filter(([symbol, cell]) => symbol && cell);
  const pairs = new Set(filled.map((pair) => pair.join("\n")));
  const words = [...new Set(filled.map(([, cell = ""]) => cell))];
  const types = words.filter((word) => word.split(/\s+/).length <= 3 && readAssetType(word) !== undefined);
  return pairs.size === words.length && (words.length === 0 || types.length < words.length / 2);
};

export type TextRow = ImportPlace & {
  readonly cells: readonly string[];
  /** A quotation mark that is never closed, or closed inside the cell. */
  readonly problem: string | undefined;
};

/** Parses RFC 4180 text with `\n` line ends. Null when there are more rows than an import may have. */
export const readRows = (text: string, delimiter: string): readonly TextRow[] | null => {
  const rows: TextRow[] = [];
  let start = 0;
  let line = 1;
  let filled = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: "\n",
    step: ({ data: cells, errors, meta }, parser) => {
      // There is no line after the last line break.
      if (line > 1 && start === text.length) return;
      const whole = text.slice(start, meta.cursor).replace(/\n$/, "");
      const lastLine = line + countBreaks(whole);
      rows.push({ line, lastLine, source: whole.slice(0, MAX_SOURCE_LENGTH), cells, problem: quoteProblem(errors) });
      start = meta.cursor;
      line = lastLine + 1;
      if (!isBlank(cells)) filled += 1;
      // The header does not count.
      if (filled > MAX_IMPORT_ROWS + 1) parser.abort();
    },
  });
  return filled > MAX_IMPORT_ROWS + 1 ? null : rows;
};

/** Whether the line has only delimiters and spaces. */
export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

const countBreaks = (text: string): number => text.split("\n").length - 1;

const quoteProblem = (errors: readonly { readonly type: string }[]): string | undefined =>
  errors.some(({ type }) => type === "Quotes")
    ? 'A quotation mark is not closed or not doubled. Write "" for a quotation mark inside a cell.'
    : undefined;
