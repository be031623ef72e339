/** How the amounts of a column are written, told by those that can be read in one way only. */
import { plainTyping } from "../../format/plain-typing.ts";
import { readDigits } from "../../format/read-digits.ts";
import { COMMA_SEPARATORS, POINT_SEPARATORS } from "../../format/separators.ts";
import type { DecimalStyle } from "./import-choices.ts";

/** The style that all telling cells agree on; undefined when none tells or two disagree. */
export const findDecimalStyle = (cells: readonly string[]): DecimalStyle | undefined => {
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
