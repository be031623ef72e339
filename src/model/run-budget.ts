/** What a run may spend before it has to ask: `AGENT_RUN_BUDGET_USD`, and the sums that are made with it. */
import Big from "big.js";
import { canonicalDecimal } from "../contract/canonical-decimal.ts";
import type { CostUsd } from "../contract/run.ts";

/** US dollars, as people write them. */
const AMOUNT = /^\d{1,6}(\.\d{1,12})?$/;

/** Told wherever the variable cannot be read. */
export const BAD_BUDGET = "AGENT_RUN_BUDGET_USD is not an amount. Write one like 0.50, or leave it out.";

/** Reads the variable, which wrangler.toml can hold as a number: undefined where it is not set, null where it is no amount above 0. */
export const readRunBudget = (value: unknown): CostUsd | null | undefined => {
  const amount = String(value ?? "").trim();
  if (amount === "") return undefined;
  return AMOUNT.test(amount) && Number(amount) > 0 ? canonicalDecimal(amount) : null;
};

/** What may be spent after somebody has allowed the same amount so many times. */
export const budgetAfter = (limitUsd: CostUsd, allowed: number): CostUsd =>
  canonicalDecimal(new Big(limitUsd).times(allowed + 1).toFixed());

/** Whether some costs together stay within an amount. */
export const isWithin = (amountUsd: CostUsd, costs: readonly CostUsd[]): boolean =>
  costs.reduce((sum, cost) => sum.plus(cost), new Big(0)).lte(amountUsd);

/** An amount for people: `$0.50`. Never rounded. */
export const inDollars = (amount: CostUsd): string => {
  const [whole = "0", fraction = ""] = amount.split(".");
  return `$${whole}.${fraction.padEnd(2, "0")}`;
};
