/** A run's budget, computed from what its object has stored: what was spent, what was asked, and what was answered. */
import { type LogFields, log } from "../../contract/log.ts";
import { type CostUsd, NO_USAGE } from "../../contract/run.ts";
import type { Env } from "../../env.ts";
import type { Budget, BudgetStop, CallInput } from "../../harness/budget.ts";
import { BAD_BUDGET, budgetAfter, inDollars, isUsedUp, isWithin, leftOf, readAmount } from "../../model/budgets.ts";
import type { Model } from "../../model/model.ts";
import { costOf, priceOf } from "../../model/token-prices.ts";
import type { Ledger } from "../store/ledger.ts";
import { BYTES_PER_TOKEN } from "../store/spending.ts";

/**
 * What the run may spend: first the environment's budget, beyond which a person is asked, and at most what is left of the day's
 * budgets, which nobody is asked about. Undefined when none is set or none can be enforced; the log says why.
 */
export const runBudget = (env: Pick<Env, "AGENT_RUN_BUDGET_USD">, ledger: Ledger, model: Model): Budget | undefined => {
  const { requests, spending } = ledger;
  const limitUsd = limitOf(env, model.name);
  const { dayLeftUsd } = ledger.record().spec;
  if (limitUsd === undefined && dayLeftUsd === undefined) return undefined;
  if (dayLeftUsd !== undefined && priceOf(model.name) === null) warnOfPrice(model.name);
  const isDayUsedUp = (): boolean => {
    const spentUsd = dayLeftUsd === undefined ? null : spending.ownCostUsd(model.name);
    return dayLeftUsd !== undefined && spentUsd !== null && isUsedUp(dayLeftUsd, spentUsd);
  };
  const leftUsd = (): number | undefined => {
    const spentUsd = spending.runCostUsd(model.name);
    const ownUsd = spending.ownCostUsd(model.name);
    if (spentUsd === null || ownUsd === null) return undefined;
    const run = limitUsd === undefined ? [] : [leftOf(budgetAfter(limitUsd, requests.budget().allowed), spentUsd)];
    return Math.min(...run, ...(dayLeftUsd === undefined ? [] : [leftOf(dayLeftUsd, ownUsd)]));
  };
  return {
    isDayUsedUp,
    leftUsd,
    before: (request) => {
      // Nobody is asked: only the next day brings more.
      if (isDayUsedUp()) return { type: "refused" };
      if (limitUsd === undefined) return undefined;
      const { asked, allowed, isRefused } = requests.budget();
      if (isRefused) return { type: "refused" };
      const spentUsd = spending.runCostUsd(model.name);
      const lastUsd = spending.lastCostUsd(model.name);
      // `0`: the provider did not say what the last answer used.
      const nextUsd = lastUsd === undefined || lastUsd === "0" ? inputCost(model.name, request) : lastUsd;
      // An earlier attempt used another model, whose price is unknown.
      if (spentUsd === null || nextUsd === null) return undefined;
      const mayUsd = budgetAfter(limitUsd, allowed);
      if (isWithin(mayUsd, [spentUsd, nextUsd])) return undefined;
      return question(`budget-${asked + 1}`, mayUsd, budgetAfter(limitUsd, allowed + 1), spentUsd);
    },
  };
};

const question = (toolCallId: string, limitUsd: CostUsd, moreUsd: CostUsd, spentUsd: CostUsd): BudgetStop => ({
  type: "ask",
  call: { toolCallId, tool: "budget", kind: "execute", title: `Spend more than ${inDollars(limitUsd)}` },
  ask: {
    subject: { type: "budget", limitUsd, spentUsd },
    options: [
      { decision: "allow_once", label: `Spend up to ${inDollars(moreUsd)}` },
      { decision: "reject", label: "Stop here" },
    ],
    rule: undefined,
  },
});

/** The cost of a call before any message has reported one: that of its input, estimated from its size, as if nothing were cached. */
const inputCost = (model: string, { system, tools, messages }: CallInput): CostUsd | null => {
  const { byteLength } = new TextEncoder().encode(JSON.stringify([system, tools, messages]));
  return costOf(model, { ...NO_USAGE, inputTokens: Math.ceil(byteLength / BYTES_PER_TOKEN) });
};

const limitOf = ({ AGENT_RUN_BUDGET_USD: text }: Pick<Env, "AGENT_RUN_BUDGET_USD">, model: string) => {
  const limitUsd = readAmount(text);
  if (limitUsd === null) {
    logOnce("error", `${BAD_BUDGET} No run has a budget.`, { value: text });
  } else if (limitUsd !== undefined && priceOf(model) === null) warnOfPrice(model);
  else return limitUsd;
  return undefined;
};

const warnOfPrice = (model: string): void => {
  logOnce("warn", "The price of this model is not known, so its runs have no budget.", { model });
};

/** Lines that this isolate has already logged: a run gets here each time its loop starts. */
const logged = new Set<string>();

const logOnce = (level: "warn" | "error", message: string, fields: LogFields): void => {
  const line = JSON.stringify([message, fields]);
  if (logged.has(line)) return;
  logged.add(line);
  log[level](message, fields);
};
