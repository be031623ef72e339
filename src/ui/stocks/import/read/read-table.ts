/** Reads a table into rows with their outcomes. */
import { DECIMAL_FIELDS, type DecimalField } from "../../../../contract/stocks/stock-field-keys.ts";
import { plainTyping } from "../../../format/currency-marks.ts";
import {
  COMMA_SEPARATORS,
  POINT_SEPARATORS,
  readDigits,
  type Separators,
  UNKNOWN_SEPARATORS,
} from "../../../format/read-digits.ts";
import { draftOfCells } from "./draft-of-cells.ts";
import { type DecimalStyle, type ImportChoices, MAX_IMPORT_COLUMNS } from "./import-choices.ts";
import type { ImportField } from "./import-field.ts";
import { EMPTY_LINE, type ImportOutcome, type ImportRow } from "./import-row.ts";
import { stockKey } from "./join-stocks.ts";
import {
  type ImportColumn,
  isBlank,
  isHeader,
  readColumns,
  type TableOrigin,
  type TextRow,
  tableOrigin,
} from "./table-columns.ts";

/** The style of all cells that are unambiguous. Undefined when there are none or they disagree. */
const findDecimalStyle = (cells: readonly string[]): DecimalStyle | undefined => {
  const styles = new Set(cells.map(styleOf).filter((style) => style !== undefined));
  const [style] = styles;
  return styles.size === 1 ? style : undefined;
};

const styleOf = (cell: string): DecimalStyle | undefined => {
  const digits = plainTyping(cell.slice(0, 64)).replace(/^[^\d.,]+|[^\d.,]+$/g, "");
  const asPoint = readDigits(digits, POINT_SEPARATORS);
  const asComma = readDigits(digits, COMMA_SEPARATORS);
  if (asPoint.kind !== "number") return asComma.kind === "number" ? "comma" : undefined;
  if (asComma.kind !== "number") return "point";
  if (asPoint.decimal !== asComma.decimal) return undefined;
  const marks = digits.replace(/[^.,]/g, "");
  if (/^,+\.$|^,,+$|^\.$/.test(marks)) return "point";
  return marks === "" ? undefined : "comma";
};

/** `day` is a date such as `2026-11-20`, `transaction` what the file calls it. Both can be empty. */
type DatedOutcome = { readonly outcome: ImportOutcome; readonly day: string; readonly transaction: string };

/**
 * Handles files with history. Rows older than the latest one of their stock are skipped. Every row of a stock that was
 * also sold is a problem, because nothing says what the shares that are left had cost.
 */
const dropHistory = (rows: readonly DatedOutcome[]): readonly ImportOutcome[] => {
  const latest = new Map<string, string>();
  const sold = new Set<string>();
  for (const { outcome, day, transaction } of rows) {
    if (outcome.kind !== "draft") continue;
    const key = stockKey(outcome.draft);
    if (day > (latest.get(key) ?? "")) latest.set(key, day);
    if (/^\s*(sell|sold|sale|short|verkauf)/i.test(transaction)) sold.add(key);
  }
  return rows.map(({ outcome, day }) => {
    if (outcome.kind !== "draft") return outcome;
    const key = stockKey(outcome.draft);
    if (sold.has(key)) return soldProblem(outcome.draft.symbol);
    return day < (latest.get(key) ?? "")
      ? { kind: "skipped", reason: "An older date; the latest one is used." }
      : outcome;
  });
};

const soldProblem = (symbol: string): ImportOutcome => ({
  kind: "problem",
  problem: `${symbol} has sales in this file. Add it by hand with the quantity and average cost you have now.`,
});

type ReadTable = {
  readonly origin: TableOrigin;
  readonly hasHeader: boolean;
  readonly columns: readonly ImportColumn[];
  /** Null: the file does not show it, and amounts such as `1,234` are problems until the person chooses. */
  readonly decimals: DecimalStyle | null;
  readonly rows: readonly ImportRow[];
};

/** Reads each row on its own. Rows of the same stock are joined later. */
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
  const separators = (field: DecimalField): Separators => SEPARATORS[styles.byField.get(field) ?? "unknown"];
  const outcomeOf = (row: TextRow): ImportOutcome => {
    if (isBlank(row.cells)) return { kind: "skipped", reason: EMPTY_LINE };
    if (hasHeader && row === first) return { kind: "skipped", reason: "Header." };
    if (row.problem !== undefined) return { kind: "problem", problem: row.problem };
    if (names !== undefined && !isBlank(row.cells.slice(names.length))) return { kind: "problem", problem: TOO_WIDE };
    const cell = (field: ImportField): string => cellOf(row, field);
    return draftOfCells({
      cell,
      separators,
      isOwn: origin === "own",
      currency: choices.currency,
      london: choices.london,
    });
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

/** Such cells would end up in the wrong columns. */
const TOO_WIDE = "This line has more cells than the header. Put cells that contain the separator in quotation marks.";

const LOST: ImportOutcome = { kind: "problem", problem: "This line could not be read." };

const SEPARATORS = { point: POINT_SEPARATORS, comma: COMMA_SEPARATORS, unknown: UNKNOWN_SEPARATORS } as const;

/** Known programs write `1234.5` between commas. Another delimiter means that a spreadsheet has saved the file. */
const styleOfOrigin = (origin: TableOrigin, delimiter: string): DecimalStyle | undefined =>
  origin === "table" || delimiter !== "," ? undefined : "point";

/** Each column by its own cells, or else by the other columns. In a comma-separated table, commas are not decimals. */
const amountStyles = (
  body: readonly TextRow[],
  cellOf: (row: TextRow, field: ImportField) => string,
  known: DecimalStyle | undefined,
  delimiter: string,
): { byField: ReadonlyMap<DecimalField, DecimalStyle | undefined>; ofFile: DecimalStyle | null } => {
  const found = DECIMAL_FIELDS.map((field) => ({
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
