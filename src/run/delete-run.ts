/**
 * A run's last moments when its thread is deleted: whoever watches it reads how it ended, then nothing of it is left. What it
 * has cost outlives it, in the day's counters.
 */
import { errorText } from "../contract/error-text.ts";
import { addDayCost } from "../db/day-costs.ts";
import { openDb } from "../db/db.ts";
import type { Env } from "../env.ts";
import { dayCostOf } from "./day-cost.ts";
import { ABORTED, endRun } from "./end-run.ts";
import type { Ledger } from "./ledger.ts";
import { isEnded, type RunState } from "./run-state.ts";

/** Longest the deletion waits for subscribers to take the end, in ms: who reads takes it at once, who does not has stalled. */
const LAST_FRAMES_MS = 1_000;

/**
 * Ends the run as aborted, its streams behind that, and deletes everything. Its loop has been told to stop. Asked again after a
 * failure, it counts nothing twice.
 */
export const deleteRun = async (ledger: Ledger, env: Env, nowMs: number): Promise<void> => {
  try {
    if (ledger.runs.find() !== undefined) {
      endRun(ledger, ABORTED, nowMs);
      await ledger.flush();
      await Promise.race([ledger.subscribers.gone(), scheduler.wait(LAST_FRAMES_MS)]);
    }
  } catch (error) {
    // What cannot be ended, as a row that cannot be read, is deleted all the same.
    console.warn(JSON.stringify({ level: "warn", message: "Deleted without an end.", error: errorText(error) }));
  }
  await countCost(ledger, env, nowMs);
  // A delivery under way would write into tables that are gone.
  await ledger.outbox.idle();
  await ledger.clear();
};

/** Counts what has not been handed over. Rejects where D1 does: the deletion is asked for again then. */
const countCost = async (ledger: Ledger, env: Env, nowMs: number): Promise<void> => {
  const state = readState(ledger);
  if (state === undefined || (isEnded(state) && !ledger.outbox.has("index"))) return;
  const cost = await dayCostOf(ledger, isEnded(state) ? state.endedAtMs : nowMs);
  if (cost !== undefined) await addDayCost(openDb(env.DB), cost);
};

/** Undefined too where the row cannot be read: nobody knows then what the run has cost. */
const readState = (ledger: Ledger): RunState | undefined => {
  try {
    return ledger.runs.find()?.state;
  } catch {
    return undefined;
  }
};
