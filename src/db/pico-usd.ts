/**
 * Costs as D1 stores them: whole millionths of a millionth of a dollar, so that D1 can sum them exactly. They are passed as text,
 * because a JSON number can state no more than about nine thousand dollars of them exactly.
 */
import type { CostUsd } from "../contract/run.ts";
import { canonicalDecimal } from "../contract/stocks/canonical-decimal.ts";

/** Comes before the id of a thread's first run. The cost of the thread's title is stored under the two together. */
export const TITLE_OF = "title:";

/** Decimals that are stored: a price has at most six for a million tokens, so the cost of one token has twelve. */
const DECIMALS = 12;

/** The amount as digits, to be bound with `CAST(? AS INTEGER)`. */
export const toPicoUsd = (cost: CostUsd): string => {
  const [whole = "0", fraction = ""] = cost.split(".");
  return `${whole}${fraction.padEnd(DECIMALS, "0").slice(0, DECIMALS)}`;
};

/** The amount of such digits; null for null. */
export const fromPicoUsd = (digits: string | null): CostUsd | null => {
  if (digits === null) return null;
  const padded = digits.padStart(DECIMALS + 1, "0");
  return canonicalDecimal(`${padded.slice(0, -DECIMALS)}.${padded.slice(-DECIMALS)}`);
};
