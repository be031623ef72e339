/** Several purchases of one stock as one: quantities added, costs averaged by quantity. */
import Big from "big.js";
import { canonicalDecimal } from "../../../contract/canonical-decimal.ts";
import type { StockDraft } from "../../../contract/stock-draft.ts";

/** A constructor of our own, so that its precision is nobody else's business. */
const Exact = Big();
/** Decimals of an amount (CONTRACT §5). */
Exact.DP = 10;
Exact.RM = Exact.roundHalfUp;

const MAX_INTEGER_DIGITS = 12;

export type MergedLots =
  | { readonly draft: StockDraft; readonly notes: readonly string[] }
  | { readonly problem: string };

/**
 * Exact but for the average, which is rounded to 10 decimals. Rows without a quantity add none. Where a purchase has
 * no price there is no average. Of all other fields the first row that has one counts; notes that differ are joined.
 */
export const mergeLots = (lots: readonly StockDraft[]): MergedLots => {
  const held = lots.filter(({ quantity }) => (quantity ?? "0") !== "0");
  const currencies = new Set(held.map(({ currency }) => currency ?? null));
  if (currencies.size > 1) return { problem: "The purchases are in several currencies. Add the stock by hand." };
  const total = held.reduce((sum, { quantity }) => sum.plus(quantity ?? "0"), new Exact(0));
  const fields = mergeFields(lots);
  if (held.length === 0) return { draft: fields, notes: [] };
  const quantity = canonicalDecimal(total.toFixed());
  const [integer = ""] = quantity.split(".");
  if (integer.length > MAX_INTEGER_DIGITS) {
    return { problem: "The purchases add up to more than 12 digits. Add the stock by hand." };
  }
  const { avgCost: _, ...rest } = fields;
  if (held.some(({ avgCost }) => avgCost == null)) {
    const hasSome = held.some(({ avgCost }) => avgCost != null);
    return { draft: { ...rest, quantity }, notes: hasSome ? ["No average cost: a purchase has no price."] : [] };
  }
  const cost = held.reduce(
    (sum, lot) => sum.plus(new Exact(lot.quantity ?? "0").times(lot.avgCost ?? "0")),
    new Exact(0),
  );
  const average = cost.div(total);
  const isExact = average.times(total).eq(cost);
  return {
    draft: { ...rest, quantity, avgCost: canonicalDecimal(average.toFixed()) },
    notes: isExact ? [] : ["The average cost is rounded to 10 decimals."],
  };
};

/** Each field from the first that has it. */
const mergeFields = (lots: readonly StockDraft[]): StockDraft => {
  const [first, ...others] = lots;
  if (first === undefined) throw new RangeError("There is nothing to merge.");
  const notes = [...new Set(lots.flatMap((lot) => lot.notes ?? []))].join("\n");
  let merged = first;
  for (const lot of others) merged = { ...lot, ...merged };
  return notes === "" ? merged : { ...merged, notes };
};
