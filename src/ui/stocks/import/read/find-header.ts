/** Finds the table of a file: its header, and which lines are of other tables. */
import { fieldOfHeader, type ImportField } from "./import-field.ts";
import { isBlank, type TextRow } from "./table-columns.ts";

type Cells = readonly string[];

/** The fields that the cells of a row name. */
const fieldsOf = (cells: Cells): ReadonlySet<ImportField> =>
  new Set(cells.map(fieldOfHeader).filter((field) => field !== undefined));

/** Whether a row is a header: it names the symbol column, or any two columns. */
export const isHeader = (cells: Cells): boolean => {
  const fields = fieldsOf(cells);
  return fields.has("symbol") || fields.size >= 2;
};

/** How many rows are looked at for a header. Banks write a title, an account and a date above it. */
const MAX_HEADER_PLACE = 20;

/** A row below the first is one only if it names two columns, and has no amount. */
const isLaterHeader = (cells: Cells): boolean =>
  fieldsOf(cells).size >= 2 && !cells.some((cell) => /^[\d\s.,%€$£+-]*\d[\d\s.,%€$£-]*$/.test(cell));

/** A statement of Interactive Brokers has a table for everything; each line begins with its table's name and what the line is. */
const isPartHeader = (cells: Cells): boolean => cells[1]?.trim() === "Header";

/** The same of its first line as text. */
export const isStatement = (line: string): boolean => /^"?[^",]+"?,"?Header"?,/.test(line);

type FoundHeader = { readonly place: number; readonly known: number; readonly hasHoldings: boolean };

const foundAt = (cells: Cells, place: number): FoundHeader => {
  const fields = fieldsOf(cells);
  return { place, known: fields.size, hasHoldings: fields.has("symbol") && fields.has("quantity") };
};

/**
 * The place of the header in rows that are not blank, and how many columns it names: the first of those that name the most. Below
 * holdings, another table may name more, but has only the latest trades.
 */
export const findHeader = (rows: readonly Cells[]): FoundHeader | undefined => {
  const isOfParts = isPartHeader(rows[0] ?? []);
  const isOne = (cells: Cells, place: number): boolean => {
    if (isOfParts) return isPartHeader(cells) && fieldsOf(cells).has("symbol");
    return place === 0 ? isHeader(cells) : isLaterHeader(cells);
  };
  return rows
    .slice(0, isOfParts ? rows.length : MAX_HEADER_PLACE)
    .flatMap((cells, place) => (isOne(cells, place) ? [foundAt(cells, place)] : []))
    .reduce<FoundHeader | undefined>(
      (best, one) => (best === undefined || (one.known > best.known && (isOfParts || !best.hasHoldings)) ? one : best),
      undefined,
    );
};

/** What the lines below the header are that are not its rows: the same header again, or all of other tables. */
export const otherLines = (
  rows: readonly TextRow[],
  header: TextRow | undefined,
): ReadonlyMap<TextRow, "header" | "elsewhere"> => {
  const lines = new Map<TextRow, "header" | "elsewhere">();
  if (header === undefined) return lines;
  const own = header.cells.join("\n");
  const isOfParts = isPartHeader(header.cells);
  const place = rows.indexOf(header);
  let isElsewhere = false;
  rows.slice(place + 1).forEach((row, index) => {
    const isSame = row.cells.join("\n") === own;
    const isOther = isOfParts ? isPartHeader(row.cells) : isNextTable(row.cells, rows[place + index]?.cells ?? []);
    if (isSame || isOther) isElsewhere = !isSame;
    if (isSame) lines.set(row, "header");
    else if (isElsewhere && !isBlank(row.cells)) lines.set(row, "elsewhere");
  });
  return lines;
};

/** Below an empty line, a header of another table that has symbols, too. */
const isNextTable = (cells: Cells, before: Cells): boolean => {
  if (!isBlank(before) || isBlank(cells)) return false;
  const fields = fieldsOf(cells);
  return fields.has("symbol") && fields.size >= 3 && isLaterHeader(cells);
};
