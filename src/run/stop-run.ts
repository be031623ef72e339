/** Stops a run because its person wants it to: the step to `aborting`, which its loop then ends. */
import { waitAtMost } from "../contract/within.ts";
import type { Driver } from "./drive/driver.ts";
import { ABORTED, closeRequest, endRun } from "./drive/end-run.ts";
import { closeRequestNotice } from "./notice-due.ts";
import { isEnded, isLive, startedPart } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";

/** How long an abort waits for the run's end before it answers `aborting` (api.md §2). */
export const ABORT_ANSWER_MS = 3_000;

/** Waits until the loop has ended, or the abort has to be answered. */
export const waitUntilSettled = (driver: Pick<Driver, "settled">): Promise<void> =>
  waitAtMost(ABORT_ANSWER_MS, driver.settled());

/**
 * Aborts a run: writes `aborting`, then tells the loop. If there is no loop, the caller must start one, which only closes what is open.
 * A queued run ends at once. Does nothing to a run that is over.
 */
export const stopRun = (ledger: Ledger, driver: Pick<Driver, "flush" | "stop">, nowMs: number): void => {
  const { state } = ledger.record();
  if (isEnded(state)) return;
  if (isLive(state)) driver.flush();
  if (isLive(state)) writeAborting(ledger, nowMs);
  else endRun(ledger, ABORTED, nowMs);
  driver.stop();
};

/** Writes `aborting` and resolves an open request as aborted. Does nothing when the run is already aborting or over. */
export const writeAborting = (ledger: Ledger, nowMs: number): void => {
  const record = ledger.record();
  const { state } = record;
  if (!isLive(state) || state.status === "aborting") return;
  ledger.commit(() => {
    closeRequestNotice(ledger, state);
    ledger.runs.save(record, { state: { status: "aborting", ...startedPart(state), sinceMs: nowMs } });
    return [{ type: "run_status", status: "aborting" }, ...closeRequest(ledger)];
  });
};
