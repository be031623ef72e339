/** Deletes what a run's object stores. What the run has cost outlives it, in the day's counters. */
import { addDayCost } from "../db/day-costs.ts";
import { openDb } from "../db/db.ts";
import type { Env } from "../env.ts";
import { dayCostOf } from "./day-cost.ts";
import type { Ledger } from "./ledger.ts";
import { isEnded } from "./run-state.ts";

/** Clears the ledger, whose run is stopped. Asked again after a failure, it counts nothing twice. */
export const forgetRun = async (ledger: Ledger, env: Env, nowMs: number): Promise<void> => {
  const state = ledger.runs.find()?.state;
  // What has been handed over is counted.
  if (state !== undefined && !(isEnded(state) && !ledger.outbox.has("index"))) {
    const cost = await dayCostOf(ledger, isEnded(state) ? state.endedAtMs : nowMs);
    if (cost !== undefined) await addDayCost(openDb(env.DB), cost);
  }
  // A delivery under way would write into tables that are gone.
  await ledger.outbox.idle();
  await ledger.clear();
};
