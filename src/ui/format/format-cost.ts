/** What calls of a model cost: often a fraction of a cent. */
import { formatDecimal } from "./format-decimal.ts";

/** Smaller amounts are only said to be smaller. */
const LEAST_USD = "0.0001";

const DOLLARS = { style: "currency", currency: "USD", minimumFractionDigits: 2 } as const;

/** Whole cents, or two digits that count, whichever says more. */
const SHORT = {
  ...DOLLARS,
  maximumFractionDigits: 2,
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: "morePrecision",
} as const;

/** For less than a tenth of a cent. */
const TINY = { ...DOLLARS, maximumFractionDigits: 4 } as const;

/** `$12.35`, `$0.48`, `$0.0042`, `<$0.0001`: US dollars from an exact decimal string. */
export const formatCost = (costUsd: string, locale: string): string => {
  // Only to choose a form: what is shown is made from the string.
  const about = Number(costUsd);
  if (about > 0 && about < Number(LEAST_USD)) return `<${formatDecimal(LEAST_USD, locale, TINY)}`;
  return formatDecimal(costUsd, locale, about < 0.001 ? TINY : SHORT);
};

/** `$0.00419273645`: all digits there are. */
export const formatExactCost = (costUsd: string, locale: string): string => formatDecimal(costUsd, locale, DOLLARS);
