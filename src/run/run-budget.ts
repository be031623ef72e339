/** A run's budget over what its object has stored: what was spent, what was asked, and what was answered. */
import { type CostUsd, NO_USAGE } from "../contract/run.ts";
import type { Env } from "../env.ts";
import type { Budget, BudgetStop } from "../harness/budget.ts";
import { isUsedUp } from "../model/day-budget.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import { costOf, priceOf } from "../model/prices.ts";
import { BAD_BUDGET, budgetAfter, inDollars, isWithin, readRunBudget } from "../model/run-budget.ts";
import type { Ledger } from "./ledger.ts";

/** UTF-8 bytes a token has at the least, on average, so that a first call is not taken for cheaper than it is. */
const BYTES_PER_TOKEN = 3;

/**
 * What the run may spend: what the day's budgets left, of which nobody is asked for more, and before that the budget of the
 * environment, of which somebody is. Undefined where none is set or none could hold; the log says why.
 */
export const runBudget = (env: Pick<Env, "AGENT_RUN_BUDGET_USD">, ledger: Ledger, model: Model): Budget | undefined => {
  const { requests, spending } = ledger;
  const limitUsd = limitOf(env, model.name);
  const { dayLeftUsd } = ledger.record().spec;
  if (limitUsd === undefined && dayLeftUsd === undefined) return undefined;
  if (dayLeftUsd !== undefined && priceOf(model.name) === null) warnOfPrice(model.name);
  const isGone = (): boolean => {
    const spentUsd = dayLeftUsd === undefined ? null : spending.ownCostUsd(model.name);
    return dayLeftUsd !== undefined && spentUsd !== null && isUsedUp(dayLeftUsd, spentUsd);
  };
  return {
    isGone,
    before: (request) => {
      // Tries that were dropped are paid for, too.
      if (isGone()) return { type: "refused" };
      if (limitUsd === undefined) return undefined;
      const { asked, allowed, isRefused } = requests.budget();
      if (isRefused) return { type: "refused" };
      const spentUsd = spending.costUsd(model.name);
      const nextUsd = spending.lastCostUsd(model.name) ?? inputCost(model.name, request);
      // An earlier attempt had another model, whose price is not known.
      if (spentUsd === null || nextUsd === null) return undefined;
      const mayUsd = budgetAfter(limitUsd, allowed);
      if (isWithin(mayUsd, [spentUsd, nextUsd])) return undefined;
      return question(`budget-${asked + 1}`, mayUsd, budgetAfter(limitUsd, allowed + 1), spentUsd);
    },
  };
};

const question = (toolCallId: string, limitUsd: CostUsd, moreUsd: CostUsd, spentUsd: CostUsd): BudgetStop => ({
  type: "ask",
  call: { toolCallId, tool: "budget", kind: "execute", title: `Go on past ${inDollars(limitUsd)}?` },
  ask: {
    subject: { type: "budget", limitUsd, spentUsd },
    options: [
      { decision: "allow_once", label: `Spend up to ${inDollars(moreUsd)}` },
      { decision: "reject", label: "Stop here" },
    ],
    rule: undefined,
  },
});

/** Before any message tells what a call costs: its input, by its size, with nothing of it cached. */
const inputCost = (model: string, { system, tools, messages }: ModelRequest): CostUsd | null => {
  const { byteLength } = new TextEncoder().encode(JSON.stringify([system, tools, messages]));
  return costOf(model, { ...NO_USAGE, inputTokens: Math.ceil(byteLength / BYTES_PER_TOKEN) });
};

const limitOf = ({ AGENT_RUN_BUDGET_USD: text }: Pick<Env, "AGENT_RUN_BUDGET_USD">, model: string) => {
  const limitUsd = readRunBudget(text);
  if (limitUsd === null) {
    logOnce(JSON.stringify({ level: "error", message: `${BAD_BUDGET} No run has a budget.`, value: text }));
  } else if (limitUsd !== undefined && priceOf(model) === null) warnOfPrice(model);
  else return limitUsd;
  return undefined;
};

const warnOfPrice = (model: string): void => {
  const message = "The price of this model is not known, so no budget holds for its runs.";
  logOnce(JSON.stringify({ level: "warn", message, model }));
};

/** Lines of this isolate: a run comes by here each time its loop starts. */
const logged = new Set<string>();

const logOnce = (line: string): void => {
  if (logged.has(line)) return;
  logged.add(line);
  console.warn(line);
};
