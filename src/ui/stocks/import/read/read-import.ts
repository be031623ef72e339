/** Reads a pasted text or a file into stocks to add, with an outcome for each line. */
import { findHeader, isHeader, isStatement } from "./find-header.ts";
import { type DecimalStyle, type ImportChoices, MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from "./import-choices.ts";
import { EMPTY_LINE, type ImportRow } from "./import-row.ts";
import { joinStocks, listingKey, stockKey } from "./join-stocks.ts";
import { isJson, isSymbolLine, readJson, readList } from "./read-list.ts";
import { readTable } from "./read-table.ts";
import { type ImportColumn, readRows, type TableOrigin } from "./table-columns.ts";

type TextShape = { readonly shape: "table"; readonly delimiter: Delimiter } | { readonly shape: "list" };

type Delimiter = NonNullable<ImportChoices["delimiter"]>;

/** The comma comes last, because it also occurs in numbers and names. */
const DELIMITERS: readonly Delimiter[] = ["\t", ";", "|", ","];

/** The number of lines that the guess is based on. */
const SAMPLE_LINES = 20;

/** A header is the best sign. Without one, a table has several cells on most lines. */
const guessShape = (text: string, choices: ImportChoices): TextShape => {
  if (choices.shape === "list") return { shape: "list" };
  const lines = text
    .split("\n", SAMPLE_LINES * 5)
    .filter((line) => line.trim() !== "")
    .slice(0, SAMPLE_LINES);
  const delimiter =
    choices.delimiter ?? (isStatement(lines[0] ?? "") ? "," : undefined) ?? byHeader(lines) ?? byColumns(lines);
  if (choices.shape === "table") return { shape: "table", delimiter: delimiter ?? "," };
  if (delimiter !== undefined) return { shape: "table", delimiter };
  // A single column is a table if it has a header.
  return isHeader([lines[0] ?? ""]) && lines.length > 1 ? { shape: "table", delimiter: "," } : { shape: "list" };
};

/** The delimiter that splits a line into the most known column names. */
const byHeader = (lines: readonly string[]): Delimiter | undefined => {
  const scores = DELIMITERS.map((delimiter) => {
    const rows = lines.map((line) => readRows(line, delimiter)?.[0]?.cells ?? []);
    const header = findHeader(rows);
    const isSplit = header !== undefined && (rows[header.place] ?? []).length > 1;
    return { delimiter, known: isSplit ? header.known : 0 };
  });
  const best = scores.reduce((most, score) => (score.known > most.known ? score : most));
  return best.known === 0 ? undefined : best.delimiter;
};

const byColumns = (lines: readonly string[]): Delimiter | undefined =>
  DELIMITERS.find((delimiter) => {
    const split = lines.filter((line) => isRow(line, delimiter));
    return split.length > lines.length / 2;
  });

/** A symbol and further cells. `AAPL 1,000` is a line of a list, because its first cell is more than a symbol. */
const isRow = (line: string, delimiter: Delimiter): boolean => {
  const cells = line.split(delimiter);
  const first = cells[0]?.replaceAll('"', "") ?? "";
  return cells.length > 1 && isSymbolLine(first) && first.trim() !== "" && !isSymbolLine(line);
};

/** `refused` is about the whole text. Its `problem` is a sentence that says what to do. */
export type ImportReading =
  | { readonly kind: "refused"; readonly problem: string }
  | { readonly kind: "json"; readonly rows: readonly ImportRow[] }
  | { readonly kind: "list"; readonly lots: "merge" | "separate"; readonly rows: readonly ImportRow[] }
  | {
      readonly kind: "table";
      readonly origin: TableOrigin;
      readonly delimiter: string;
      readonly hasHeader: boolean;
      /** How many lines there are above the header, such as a title. They are skipped. */
      readonly linesAbove: number;
      readonly columns: readonly ImportColumn[];
      /** Null: the person has to choose. Until then, ambiguous amounts are problems. */
      readonly decimals: DecimalStyle | null;
      /** The currency that the headers of prices name. The row's own and the person's choice take precedence. */
      readonly currency: string | undefined;
      /** Whether the table has no column of symbols, and ISINs stand for them. */
      readonly isByIsin: boolean;
      readonly lots: "merge" | "separate";
      readonly rows: readonly ImportRow[];
    };

/** Guesses how to read the text unless `choices` say. `locale` is that of the amounts in a list. Never throws. */
export const readImport = (text: string, locale: string, choices: ImportChoices = {}): ImportReading => {
  if (text.length > MAX_IMPORT_BYTES) return refused("The text is over 6 MB. Split it, or leave out columns.");
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (plain.trim() === "") return refused("There is nothing to import. Paste symbols or a table, or choose a file.");
  if (isJson(plain)) {
    const read = readJson(plain);
    return "problem" in read
      ? refused(read.problem)
      : { kind: "json", rows: joinStocks(read.rows, "separate", listingKey) };
  }
  const shape = guessShape(plain, choices);
  if (shape.shape === "list") return readAsList(plain, locale, choices);
  const textRows = readRows(plain, shape.delimiter);
  if (textRows === null) return refused(TOO_MANY);
  const { rows, ...table } = readTable(textRows, shape.delimiter, choices);
  // An export of our own is literal: its list may have both spellings of a stock.
  const joined = joinStocks(rows, table.lots, table.origin === "own" ? listingKey : stockKey);
  return { kind: "table", ...table, delimiter: shape.delimiter, rows: joinBlanks(joined) };
};

/** The most words of a list entry on average: `AAPL 10 @ 180.5 USD` and its tags. */
const MAX_WORDS = 30;

/** An import replaces what an earlier one made of a stock, so a part with half of its purchases would leave only those. */
const TOO_MANY = "There are more than 5,000 lines. Import them in parts, with all lines of a stock in the same part.";

const refused = (problem: string): ImportReading => ({ kind: "refused", problem });

const readAsList = (text: string, locale: string, choices: ImportChoices): ImportReading => {
  // Checked before anything is parsed: a text of 6 MB can have three million entries.
  if ((text.match(/[^\s,;]+/g)?.length ?? 0) > MAX_IMPORT_ROWS * MAX_WORDS) return refused(TOO_MANY);
  const rows = joinBlanks(readList(text, choices, locale));
  const lots = choices.lots ?? "separate";
  return rows.filter(({ kind }) => kind !== "skipped").length > MAX_IMPORT_ROWS
    ? refused(TOO_MANY)
    : { kind: "list", lots, rows: joinStocks(rows, lots) };
};

/** Merges consecutive empty lines into one row, so that a text of empty lines does not become a million rows. */
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
