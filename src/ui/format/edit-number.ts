/** An amount as a text field shows it: what a person can change and `parseNumber` reads back to the same. */
import { formatDecimal } from "./format-decimal.ts";

/** `1234,5` for a German: the locale's digits and decimal separator, nothing grouped; empty for null. */
export const editNumber = (decimal: string | null, locale: string): string =>
  decimal === null ? "" : formatDecimal(decimal, locale, { useGrouping: false });
