/** A table as rows with their outcomes. */
import { COMMA_SEPARATORS, POINT_SEPARATORS, type Separators, UNKNOWN_SEPARATORS } from "../../format/separators.ts";
import { findDecimalStyle } from "./decimal-style.ts";
import { draftOfCells } from "./draft-of-cells.ts";
import { dropHistory } from "./drop-history.ts";
import type { DecimalStyle, ImportChoices } from "./import-choices.ts";
import { AMOUNT_FIELDS, type AmountField, type ImportField } from "./import-field.ts";
import { MAX_IMPORT_COLUMNS } from "./import-limits.ts";
import { EMPTY_LINE, type ImportOutcome, type ImportRow } from "./import-row.ts";
import { isBlank, type TextRow } from "./read-rows.ts";
import { type ImportColumn, isHeader, readColumns, type TableOrigin, tableOrigin } from "./table-columns.ts";

export type ReadTable = {
  readonly origin: TableOrigin;
  readonly hasHeader: boolean;
  readonly columns: readonly ImportColumn[];
  /** Null: nothing in the file tells, and amounts such as `1,234` are problems until it is chosen. */
  readonly decimals: DecimalStyle | null;
  readonly rows: readonly ImportRow[];
};

/** Reads each row; what belongs to one stock is still apart. */
export const readTable = (rows: readonly TextRow[], delimiter: string, choices: ImportChoices): ReadTable => {
  const first = rows.find(({ cells }) => !isBlank(cells));
  const hasHeader = choices.hasHeader ?? (first !== undefined && isHeader(first.cells));
  const names = hasHeader ? first?.cells : undefined;
  const origin = names === undefined ? "table" : tableOrigin(names);
  const body = rows.filter((row) => !isBlank(row.cells) && !(hasHeader && row === first));
  const cellsOfBody = body.map(({ cells }) => cells.slice(0, MAX_IMPORT_COLUMNS));
  const columns = readColumns(names?.slice(0, MAX_IMPORT_COLUMNS), cellsOfBody, origin, choices.mapping ?? {});
  const places = new Map<ImportField, number>(
    columns.flatMap(({ field, index }) => (field === null ? [] : [[field, index]])),
  );
  const cellOf = (row: TextRow, field: ImportField): string => row.cells[places.get(field) ?? -1] ?? "";
  const styles = amountStyles(body, cellOf, choices.decimals ?? styleOfOrigin(origin, delimiter), delimiter);
  const separators = (field: AmountField): Separators => SEPARATORS[styles.byField.get(field) ?? "unknown"];
  const outcomeOf = (row: TextRow): ImportOutcome => {
    if (isBlank(row.cells)) return { kind: "skipped", reason: EMPTY_LINE };
    if (hasHeader && row === first) return { kind: "skipped", reason: "Header." };
    if (row.problem !== undefined) return { kind: "problem", problem: row.problem };
    if (names !== undefined && !isBlank(row.cells.slice(names.length))) return { kind: "problem", problem: TOO_WIDE };
    const cell = (field: ImportField): string => cellOf(row, field);
    return draftOfCells({ cell, separators, isOwn: origin === "own", currency: choices.currency });
  };
  const read = rows.map((row) => ({ row, outcome: outcomeOf(row) }));
  const checked = dropHistory(
    read.map(({ row, outcome }) => ({
      outcome,
      day: /^\d{4}-\d{2}-\d{2}/.exec(cellOf(row, "snapshotDate").trim())?.[0] ?? "",
      transaction: cellOf(row, "transactionType"),
    })),
  );
  const results = read.map(
    ({ row: { line, lastLine, source } }, index): ImportRow => ({
      line,
      lastLine,
      source,
      ...(checked[index] ?? LOST),
    }),
  );
  return { origin, hasHeader, columns, decimals: styles.ofFile, rows: results };
};

/** The cells would be read as those of other columns. */
const TOO_WIDE = "This line has more cells than the header. Put cells that hold the delimiter in quotation marks.";

const LOST: ImportOutcome = { kind: "problem", problem: "This line could not be read." };

const SEPARATORS = { point: POINT_SEPARATORS, comma: COMMA_SEPARATORS, unknown: UNKNOWN_SEPARATORS } as const;

/** Known programs write `1234.5` between commas. Another delimiter means that a spreadsheet has saved the file anew. */
const styleOfOrigin = (origin: TableOrigin, delimiter: string): DecimalStyle | undefined =>
  origin === "table" || delimiter !== "," ? undefined : "point";

/** A column tells by itself; one that does not follows the others; between commas, commas are no decimals. */
const amountStyles = (
  body: readonly TextRow[],
  cellOf: (row: TextRow, field: ImportField) => string,
  known: DecimalStyle | undefined,
  delimiter: string,
): { byField: ReadonlyMap<AmountField, DecimalStyle | undefined>; ofFile: DecimalStyle | null } => {
  const found = AMOUNT_FIELDS.map((field) => ({
    field,
    style: findDecimalStyle(body.map((row) => cellOf(row, field))),
  }));
  const agreed = new Set(found.map(({ style }) => style).filter((style) => style !== undefined));
  const [only] = agreed;
  const ofFile = known ?? (agreed.size === 1 ? only : delimiter === "," && agreed.size === 0 ? "point" : undefined);
  return {
    byField: new Map(found.map(({ field, style }) => [field, known ?? style ?? ofFile])),
    ofFile: ofFile ?? null,
  };
};
