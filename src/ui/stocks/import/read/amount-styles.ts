/** Finds how the columns of a table write decimals (decision 0040). */
import { DECIMAL_FIELDS, type DecimalField } from "../../../../contract/stocks/stock-field-keys.ts";
import { plainTyping } from "../../../format/currency-marks.ts";
import { COMMA_SEPARATORS, POINT_SEPARATORS, readDigits } from "../../../format/read-digits.ts";
import type { DecimalStyle } from "./import-choices.ts";
import type { TextRow } from "./table-columns.ts";

/**
 * Decides a column's style by its own cells, otherwise by the other columns. In a comma-separated table, commas are not decimals. The
 * program that wrote a file does not decide: a spreadsheet may have saved it since.
 */
export const amountStyles = (
  body: readonly TextRow[],
  cellOf: (row: TextRow, field: DecimalField) => string,
  chosen: DecimalStyle | undefined,
  delimiter: string,
): { byField: ReadonlyMap<DecimalField, DecimalStyle | undefined>; ofFile: DecimalStyle | null } => {
  const found = DECIMAL_FIELDS.map((field) => ({
    field,
    style: findDecimalStyle(body.map((row) => cellOf(row, field))),
  }));
  const agreed = new Set(found.map(({ style }) => style).filter((style) => style !== undefined));
  const [only] = agreed;
  const ofFile = chosen ?? (agreed.size === 1 ? only : delimiter === "," && agreed.size === 0 ? "point" : undefined);
  return {
    byField: new Map(found.map(({ field, style }) => [field, chosen ?? style ?? ofFile])),
    ofFile: ofFile ?? null,
  };
};

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
