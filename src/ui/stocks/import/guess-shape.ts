/** Whether a text is a table or a list, and what is between its columns. */
import type { ImportChoices } from "./import-choices.ts";
import { fieldOfHeader } from "./import-field.ts";
import { isSymbolLine } from "./read-list.ts";
import { readRows } from "./read-rows.ts";
import { isHeader } from "./table-columns.ts";

export type TextShape = { readonly shape: "table"; readonly delimiter: Delimiter } | { readonly shape: "list" };
type Delimiter = NonNullable<ImportChoices["delimiter"]>;

/** Comma last: it is also within numbers and names. */
const DELIMITERS: readonly Delimiter[] = ["\t", ";", "|", ","];

/** Lines that are looked at. */
const SAMPLE_LINES = 20;

/** A header tells best; without one, a table has the same number of cells on most lines. */
export const guessShape = (text: string, choices: ImportChoices): TextShape => {
  if (choices.shape === "list") return { shape: "list" };
  const lines = text
    .split("\n", SAMPLE_LINES * 5)
    .filter((line) => line.trim() !== "")
    .slice(0, SAMPLE_LINES);
  const delimiter = choices.delimiter ?? byHeader(lines[0] ?? "") ?? byColumns(lines);
  if (choices.shape === "table") return { shape: "table", delimiter: delimiter ?? "," };
  if (delimiter !== undefined) return { shape: "table", delimiter };
  // One column can be a table too, when its header says so.
  return isHeader([lines[0] ?? ""]) && lines.length > 1 ? { shape: "table", delimiter: "," } : { shape: "list" };
};

/** The one that splits the first line into the most names of columns. */
const byHeader = (line: string): Delimiter | undefined => {
  const scores = DELIMITERS.map((delimiter) => {
    const cells = readRows(line, delimiter)?.[0]?.cells ?? [];
    const known =
      isHeader(cells) && cells.length > 1 ? cells.filter((cell) => fieldOfHeader(cell) !== undefined).length : 0;
    return { delimiter, known };
  });
  const best = scores.reduce((most, score) => (score.known > most.known ? score : most));
  return best.known === 0 ? undefined : best.delimiter;
};

const byColumns = (lines: readonly string[]): Delimiter | undefined =>
  DELIMITERS.find((delimiter) => {
    const split = lines.filter((line) => isRow(line, delimiter));
    return split.length > lines.length / 2;
  });

/** A symbol and more. `AAPL 1,000` is a line of a list: its first cell is no symbol alone. */
const isRow = (line: string, delimiter: Delimiter): boolean => {
  const cells = line.split(delimiter);
  const first = cells[0]?.replaceAll('"', "") ?? "";
  return cells.length > 1 && isSymbolLine(first) && first.trim() !== "" && !isSymbolLine(line);
};
