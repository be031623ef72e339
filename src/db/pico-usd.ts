/**
 * Costs as D1 keeps them: whole millionths of a millionth of a dollar, so that it can sum them exactly. They come and go as
 * text, since a number of JSON ends at nine thousand dollars of them.
 */
import { canonicalDecimal } from "../contract/canonical-decimal.ts";
import type { CostUsd } from "../contract/run.ts";

/** Decimals that are kept: a price has six at most for a million tokens, which is twelve for one. */
const DECIMALS = 12;

/** The amount as digits, to be bound with `CAST(? AS INTEGER)`. */
export const toPicoUsd = (cost: CostUsd): string => {
  const [whole = "0", fraction = ""] = cost.split(".");
  return `${whole}${fraction.padEnd(DECIMALS, "0").slice(0, DECIMALS)}`;
};

/** The amount of such digits, or null for none. */
export const fromPicoUsd = (digits: string | null): CostUsd | null => {
  if (digits === null) return null;
  const padded = digits.padStart(DECIMALS + 1, "0");
  return canonicalDecimal(`${padded.slice(0, -DECIMALS)}.${padded.slice(-DECIMALS)}`);
};
