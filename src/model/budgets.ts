/** What a run may spend before it must ask (`AGENT_RUN_BUDGET_USD`), what may be spent in a day, and their arithmetic. */
import Big from "big.js";
import type { CostUsd } from "../contract/run.ts";
import { canonicalDecimal } from "../contract/stocks/canonical-decimal.ts";

/** US dollars, as people write them. */
const AMOUNT = /^\d{1,6}(\.\d{1,12})?$/;

/** Reported when the variable cannot be parsed. */
export const BAD_BUDGET = "AGENT_RUN_BUDGET_USD is not an amount. Write one like 0.50, or leave it out.";

/** Parses the variable of a budget, which can be a number in wrangler.toml: undefined when unset, null when it is not an amount above 0. */
export const readAmount = (value: unknown): CostUsd | null | undefined => {
  const amount = String(value ?? "").trim();
  if (amount === "") return undefined;
  return AMOUNT.test(amount) && Number(amount) > 0 ? canonicalDecimal(amount) : null;
};

/** What may be spent after somebody has allowed the amount `allowed` more times. */
export const budgetAfter = (limitUsd: CostUsd, allowed: number): CostUsd =>
  canonicalDecimal(new Big(limitUsd).times(allowed + 1).toFixed());

/** Whether the sum of these costs is within an amount. */
export const isWithin = (amountUsd: CostUsd, costs: readonly CostUsd[]): boolean =>
  costs.reduce((sum, cost) => sum.plus(cost), new Big(0)).lte(amountUsd);

/** An amount for people: `$0.50`. Never rounded. */
export const inDollars = (amount: CostUsd): string => {
  const [whole = "0", fraction = ""] = amount.split(".");
  return `$${whole}.${fraction.padEnd(2, "0")}`;
};

/** The variables for what may be spent in a day (UTC): by one owner, and by all together. */
export const DAY_BUDGETS = ["AGENT_OWNER_DAY_BUDGET_USD", "AGENT_DAY_BUDGET_USD"] as const;

/** The limits; at least one of them is set. */
type DayBudgets = { readonly ownerUsd: CostUsd | undefined; readonly allUsd: CostUsd | undefined };

type Variables = { readonly [Name in (typeof DAY_BUDGETS)[number]]?: unknown };

/** Reported when one of the variables cannot be parsed. */
export const badDayBudget = (name: string): string =>
  `${name} is not an amount. Write one like 20.00, or leave it out.`;

/** The names of those variables that are set but are not amounts above 0. */
export const unreadableDayBudgets = (variables: Variables): string[] =>
  DAY_BUDGETS.filter((name) => readAmount(variables[name]) === null);

/** The limits; undefined when none is set. An unparsable one counts as unset here: check `unreadableDayBudgets` first. */
export const readDayBudgets = (variables: Variables): DayBudgets | undefined => {
  const [ownerUsd, allUsd] = DAY_BUDGETS.map((name) => readAmount(variables[name]) ?? undefined);
  return ownerUsd === undefined && allUsd === undefined ? undefined : { ownerUsd, allUsd };
};

/** What is left of the tighter limit; 0 when it is exceeded. */
export const dayLeft = ({ ownerUsd, allUsd }: DayBudgets, spent: { owner: CostUsd; all: CostUsd }): CostUsd => {
  const lefts = [
    ...(ownerUsd === undefined ? [] : [new Big(ownerUsd).minus(spent.owner)]),
    ...(allUsd === undefined ? [] : [new Big(allUsd).minus(spent.all)]),
  ];
  const left = lefts.reduce((least, one) => (one.lt(least) ? one : least));
  return left.lt(0) ? "0" : canonicalDecimal(left.toFixed());
};

/** What is left of an amount, as a number; 0 when it is exceeded. */
export const leftOf = (amountUsd: CostUsd, spentUsd: CostUsd): number =>
  Math.max(0, new Big(amountUsd).minus(spentUsd).toNumber());

/** Whether nothing is left of an amount. */
export const isUsedUp = (amountUsd: CostUsd, spentUsd: CostUsd): boolean => new Big(spentUsd).gte(amountUsd);
