/** The rows of delimited text, each with the lines it came from. */
import Papa from "papaparse";
import { MAX_IMPORT_ROWS, MAX_SOURCE_LENGTH } from "./import-limits.ts";
import type { ImportPlace } from "./import-row.ts";

export type TextRow = ImportPlace & {
  readonly cells: readonly string[];
  /** A quote that is never closed, or closed within the cell. */
  readonly problem: string | undefined;
};

/** Reads RFC 4180 text whose lines end in `\n`. Null when there are more rows than an import may have. */
export const readRows = (text: string, delimiter: string): readonly TextRow[] | null => {
  const rows: TextRow[] = [];
  let start = 0;
  let line = 1;
  let filled = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: "\n",
    step: ({ data: cells, errors, meta }, parser) => {
      // Behind the last line break there is no line.
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

/** Whether nothing is on the line but delimiters and spaces. */
export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

const countBreaks = (text: string): number => text.split("\n").length - 1;

const quoteProblem = (errors: readonly { readonly type: string }[]): string | undefined =>
  errors.some(({ type }) => type === "Quotes")
    ? 'A quotation mark is not closed or not doubled. Write "" for one within a cell.'
    : undefined;
