/** Prices and rates as services write them, made canonical decimals. */
import { canonicalDecimal } from "../contract/stocks/canonical-decimal.ts";

/** As many digits as an amount of a stock can have. */
const PLAIN = /^\d{1,12}(\.\d{1,10})?$/;

/**
 * A price above 0 as a canonical decimal; a JSON number by its shortest text. Undefined for 0, signs, exponents, `NA` and anything
 * else: services send those when they do not know.
 */
export const readDecimal = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  if (!PLAIN.test(text)) return undefined;
  const decimal = canonicalDecimal(text);
  return decimal === "0" ? undefined : decimal;
};
