/** A cell of a column of amounts. */
import { currencyMarks } from "../../format/currency-marks.ts";
import { parseAmount } from "../../format/parse-number.ts";
import type { Separators } from "../../format/separators.ts";

/** Neither for an empty cell. */
export type AmountCell = { readonly decimal?: string; readonly problem?: string };

/** How programs write that there is no number. */
const NOTHING = /^(-|–|—|--|n\/?a|#n\/a|null|none|nan)$/i;

/** The sign of `currency` may stand in the cell. Its marks are those of English: most exports are made in it. */
export const readAmountCell = (cell: string, separators: Separators, currency: string | undefined): AmountCell => {
  const text = cell.trim();
  if (NOTHING.test(text)) return {};
  const marks = currency === undefined ? [] : currencyMarks(currency, "en");
  const reading = parseAmount(text, separators, marks, { range: "zero_or_more", currency });
  if (reading.kind === "problem") return { problem: reading.problem };
  return reading.kind === "number" ? { decimal: reading.decimal } : {};
};
