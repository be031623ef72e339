/** Quantities: exact, without a unit. */
import { formatDecimal } from "./format-decimal.ts";
import { MISSING } from "./missing.ts";

/** `1,234.5`, `0.00000001`. */
export const formatQuantity = (quantity: string | null, locale: string): string =>
  quantity === null ? MISSING : formatDecimal(quantity, locale);
