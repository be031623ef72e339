/** A pasted text or a file's text as stocks to add, with an outcome for each of its lines. */

import { guessShape } from "./guess-shape.ts";
import type { DecimalStyle, ImportChoices } from "./import-choices.ts";
import { MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from "./import-limits.ts";
import { EMPTY_LINE, type ImportRow } from "./import-row.ts";
import { joinStocks } from "./join-stocks.ts";
import { isJson, readJson } from "./read-json.ts";
import { readList } from "./read-list.ts";
import { readRows } from "./read-rows.ts";
import { readTable } from "./read-table.ts";
import type { ImportColumn, TableOrigin } from "./table-columns.ts";

/** `refused` concerns the whole text; its `problem` is a sentence with the remedy. */
export type ImportReading =
  | { readonly kind: "refused"; readonly problem: string }
  | { readonly kind: "json"; readonly rows: readonly ImportRow[] }
  | { readonly kind: "list"; readonly rows: readonly ImportRow[] }
  | {
      readonly kind: "table";
      readonly origin: TableOrigin;
      readonly delimiter: string;
      readonly hasHeader: boolean;
      readonly columns: readonly ImportColumn[];
      /** Null: ask the person; until then amounts that can be read in two ways are problems. */
      readonly decimals: DecimalStyle | null;
      readonly lots: "merge" | "separate";
      readonly rows: readonly ImportRow[];
    };

/** Reads by guesses, overruled by `choices`. Never throws. `locale` tells how amounts of a list are written. */
export const readImport = (text: string, locale: string, choices: ImportChoices = {}): ImportReading => {
  if (text.length > MAX_IMPORT_BYTES) return refused("The text is over 2 MB. Split it, or leave out columns.");
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (plain.trim() === "") return refused("There is nothing to import. Paste symbols or a table, or choose a file.");
  if (isJson(plain)) {
    const read = readJson(plain);
    return "problem" in read ? refused(read.problem) : { kind: "json", rows: joinStocks(read.rows, "separate") };
  }
  const shape = guessShape(plain, choices);
  if (shape.shape === "list") return readAsList(plain, locale, choices);
  const textRows = readRows(plain, shape.delimiter);
  if (textRows === null) return refused(TOO_MANY);
  const { rows, ...table } = readTable(textRows, shape.delimiter, choices);
  const lots = choices.lots ?? (table.origin === "yahoo" ? "merge" : "separate");
  return { kind: "table", ...table, delimiter: shape.delimiter, lots, rows: joinBlanks(joinStocks(rows, lots)) };
};

/** Words of an entry of a list, at most on average: `AAPL 10 @ 180.5 USD` with its tags. */
const MAX_WORDS = 30;

const TOO_MANY = "There are more than 5,000 lines. Import them in parts.";

const refused = (problem: string): ImportReading => ({ kind: "refused", problem });

const readAsList = (text: string, locale: string, choices: ImportChoices): ImportReading => {
  // Before anything is read: a text of 2 MB can have a million entries.
  if ((text.match(/[^\s,;]+/g)?.length ?? 0) > MAX_IMPORT_ROWS * MAX_WORDS) return refused(TOO_MANY);
  const rows = joinBlanks(readList(text, choices, locale));
  const lots = choices.lots ?? "separate";
  return rows.filter(({ kind }) => kind !== "skipped").length > MAX_IMPORT_ROWS
    ? refused(TOO_MANY)
    : { kind: "list", rows: joinStocks(rows, lots) };
};

/** Empty lines that follow each other are one row, so that a text of nothing else is not a million rows. */
const joinBlanks = (rows: readonly ImportRow[]): readonly ImportRow[] => {
  const joined: ImportRow[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    if (isEmptyLine(row) && last !== undefined && isEmptyLine(last))
      joined[joined.length - 1] = { ...last, lastLine: row.lastLine };
    else joined.push(row);
  }
  return joined;
};

const isEmptyLine = (row: ImportRow): boolean => row.kind === "skipped" && row.reason === EMPTY_LINE;
