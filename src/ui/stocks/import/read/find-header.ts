/** Finds the table of a file: its header, and which lines are of other tables. */
import { fieldOfHeader, foldHeader, type ImportField } from "./import-field.ts";
import { isBlank, type TextRow, VAGUE_NAMES } from "./table-columns.ts";
import { TRADE_NAMES } from "./trades/trade-columns.ts";

type Cells = readonly string[];

/** The fields that the cells of a row name. */
const fieldsOf = (cells: Cells): ReadonlySet<ImportField> =>
  new Set(cells.map(fieldOfHeader).filter((field) => field !== undefined));

const hasAmount = (cells: Cells): boolean => cells.some((cell) => /^[\d\s.,%€$£+-]*\d[\d\s.,%€$£-]*$/.test(cell));

/** Whether a row is a header: it names the column of symbols or of ISINs, or any two columns. */
export const isHeader = (cells: Cells): boolean => {
  const fields = fieldsOf(cells);
  // `AAPL,Stock,10` begins with a symbol and says what kind it is.
  const isRow =
    fields.size === 1 && cells.slice(1).some((cell) => VAGUE_NAMES.has(foldHeader(cell))) && hasAmount(cells);
  return !isRow && (fields.has("symbol") || fields.has("isin") || fields.size >= 2);
};

/** How many rows are looked at for a header. Banks write a title, an account and a date above it. */
const MAX_HEADER_PLACE = 20;

/** A row below the first is a header only if it names two columns, and has no amount. */
const isLaterHeader = (cells: Cells): boolean => fieldsOf(cells).size >= 2 && !hasAmount(cells);

/** A statement of Interactive Brokers has a table for everything; each line begins with its table's name and what the line is. */
const isPartHeader = (cells: Cells): boolean => cells[1]?.trim() === "Header";

/** The same, for the first line of a statement as text. */
export const isStatement = (line: string): boolean => /^"?[^",]+"?,"?Header"?,/.test(line);

type FoundHeader = { readonly place: number; readonly known: number; readonly hasHoldings: boolean };

const foundAt = (cells: Cells, place: number): FoundHeader => {
  const fields = fieldsOf(cells);
  return { place, known: fields.size, hasHoldings: fields.has("symbol") && fields.has("quantity") };
};

/**
 * Finds the header in rows that are not blank, and how many columns it names. Of several, it is the first that names the most. Below
 * holdings, another table may name more columns, but has only the latest trades.
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

/** The same header again, a line of another table, or a line of other holdings, which matter as much as those that are read. */
type OtherLine = "header" | "elsewhere" | "unread";

/** The lines below the header that are not rows of its table, and what they are instead. */
export const otherLines = (rows: readonly TextRow[], header: TextRow | undefined): ReadonlyMap<TextRow, OtherLine> => {
  const lines = new Map<TextRow, OtherLine>();
  if (header === undefined) return lines;
  const isOfParts = isPartHeader(header.cells);
  const place = rows.indexOf(header);
  const isOfTrades = fieldsOf(header.cells).has("transactionType");
  let other: OtherLine | undefined;
  rows.slice(place + 1).forEach((row, index) => {
    const isSame = isSameHeader(row.cells, header.cells);
    const isOther = isOfParts ? isPartHeader(row.cells) : isNextTable(row.cells, rows[place + index]?.cells ?? []);
    if (isSame || isOther) lines.set(row, isSame ? "header" : "elsewhere");
    else if (other !== undefined && !isBlank(row.cells)) lines.set(row, other);
    if (isSame) other = undefined;
    else if (isOther) other = !isOfParts && !isOfTrades && isOfHoldings(row.cells) ? "unread" : "elsewhere";
  });
  return lines;
};

/** Compares the fields: further down, the same header may be spelled differently, or end in another number of separators. */
const isSameHeader = (cells: Cells, header: Cells): boolean => {
  if (cells.join("\n") === header.join("\n")) return true;
  // Nearly all lines differ in the first column that has a field.
  const first = header.findIndex((cell) => fieldOfHeader(cell) !== undefined);
  if (fieldOfHeader(cells[first] ?? "") !== fieldOfHeader(header[first] ?? "")) return false;
  const isSamePart = !isPartHeader(header) || cells[0] === header[0];
  return isSamePart && isLaterHeader(cells) && placesOf(cells) === placesOf(header);
};

const placesOf = (cells: Cells): string =>
  cells
    .map((cell) => fieldOfHeader(cell) ?? "")
    .join()
    .replace(/,+$/, "");

/** Whether a row below an empty line is the header of another table that has symbols as well. */
const isNextTable = (cells: Cells, before: Cells): boolean => {
  if (!isBlank(before) || isBlank(cells)) return false;
  const fields = fieldsOf(cells);
  return fields.has("symbol") && fields.size >= 3 && isLaterHeader(cells);
};

const isOfHoldings = (cells: Cells): boolean => {
  const fields = fieldsOf(cells);
  const hasDate = cells.some((cell) => TRADE_NAMES[foldHeader(cell)] === "snapshotDate");
  return fields.has("symbol") && fields.has("quantity") && !fields.has("transactionType") && !hasDate;
};
