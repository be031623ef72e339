/** What may be spent in a day (UTC), by one owner and by all: `AGENT_OWNER_DAY_BUDGET_USD` and `AGENT_DAY_BUDGET_USD`. */
import Big from "big.js";
import { canonicalDecimal } from "../contract/canonical-decimal.ts";
import type { CostUsd } from "../contract/run.ts";
import { readRunBudget } from "./run-budget.ts";

/** The two variables, an owner's first. */
export const DAY_BUDGETS = ["AGENT_OWNER_DAY_BUDGET_USD", "AGENT_DAY_BUDGET_USD"] as const;

/** Limits that are set; at least one of them is. */
export type DayBudgets = { readonly ownerUsd: CostUsd | undefined; readonly allUsd: CostUsd | undefined };

type Variables = { readonly [Name in (typeof DAY_BUDGETS)[number]]?: unknown };

/** Told wherever one of them cannot be read. */
export const badDayBudget = (name: string): string =>
  `${name} is not an amount. Write one like 20.00, or leave it out.`;

/** Those of the variables that are set and no amounts above 0. */
export const unreadableDayBudgets = (variables: Variables): string[] =>
  DAY_BUDGETS.filter((name) => readRunBudget(variables[name]) === null);

/** The limits; undefined where none is set. What cannot be read counts as none here: ask `unreadableDayBudgets` before. */
export const readDayBudgets = (variables: Variables): DayBudgets | undefined => {
  const [ownerUsd, allUsd] = DAY_BUDGETS.map((name) => readRunBudget(variables[name]) ?? undefined);
  return ownerUsd === undefined && allUsd === undefined ? undefined : { ownerUsd, allUsd };
};

/** What is left of the tighter one, 0 when it is more than used up. */
export const dayLeft = ({ ownerUsd, allUsd }: DayBudgets, spent: { owner: CostUsd; all: CostUsd }): CostUsd => {
  const lefts = [
    ...(ownerUsd === undefined ? [] : [new Big(ownerUsd).minus(spent.owner)]),
    ...(allUsd === undefined ? [] : [new Big(allUsd).minus(spent.all)]),
  ];
  const left = lefts.reduce((least, one) => (one.lt(least) ? one : least));
  return left.lt(0) ? "0" : canonicalDecimal(left.toFixed());
};

/** Whether nothing is left of an amount. */
export const isUsedUp = (amountUsd: CostUsd, spentUsd: CostUsd): boolean => new Big(spentUsd).gte(amountUsd);
