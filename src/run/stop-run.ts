/** The first step of an abort, durable before anything is told to stop (RUN.md, Aborting). */
import type { Driver } from "./driver.ts";
import { closeRequest } from "./end-run.ts";
import type { Ledger } from "./ledger.ts";
import { isLive, startedPart } from "./run-state.ts";

/** How long an abort waits for the end before it answers `aborting` (CONTRACT §2). */
export const ABORT_ANSWER_MS = 3_000;

/** Writes `aborting`, then tells the loop. Without one, a loop has to be started that only closes what is open. */
export const stopRun = (ledger: Ledger, driver: Pick<Driver, "flush" | "stop">, nowMs: number): void => {
  driver.flush();
  writeAborting(ledger, nowMs);
  driver.stop();
};

/** Writes `aborting` and resolves an open request as aborted. Does nothing to a run that is aborting or over. */
export const writeAborting = (ledger: Ledger, nowMs: number): void => {
  const record = ledger.record();
  const { state } = record;
  if (!isLive(state) || state.status === "aborting") return;
  ledger.commit(() => {
    ledger.runs.save(record, { state: { status: "aborting", ...startedPart(state), sinceMs: nowMs } });
    return [{ type: "run_status", status: "aborting" }, ...closeRequest(ledger)];
  });
};
