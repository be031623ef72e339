/** What a run adds to the counters of its day. */
import { dayOf } from "../contract/day.ts";
import { ownerHash } from "../contract/owner-hash.ts";
import type { CostUsd } from "../contract/run.ts";
import type { DayCost } from "../db/day-costs.ts";
import { costOf, sumCosts } from "../model/prices.ts";
import type { Ledger } from "./ledger.ts";
import { modelOf } from "./run-state.ts";

/**
 * The cost so far, under the day of `atMs`; undefined where it is nothing or not known, and for runs that were started while no
 * day had a budget: they cost D1 no row.
 */
export const dayCostOf = async (ledger: Ledger, atMs: number): Promise<DayCost | undefined> => {
  const { spec, state } = ledger.record();
  if (spec.dayLeftUsd === undefined) return undefined;
  const costUsd = ownCost(ledger, modelOf(state));
  if (costUsd === null || costUsd === "0") return undefined;
  return { id: spec.runId, ownerHash: await ownerHash(spec.ownerEmail), day: dayOf(atMs), costUsd };
};

/** With a message that is being streamed, as far as the provider has told what it costs. A summary by hand has its own row. */
const ownCost = (ledger: Ledger, model: string | undefined): CostUsd | null => {
  const call = ledger.checkpoints.findOpenMessage()?.call;
  const open = call === undefined ? [] : [costOf(call.model ?? model ?? "", call)];
  return sumCosts([ledger.spending.ownCostUsd(model), ...open]);
};
