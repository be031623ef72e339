/** The first step of an abort, durable before anything is told to stop (RUN.md, Aborting). */
import { closeRequest } from "./end-run.ts";
import type { Ledger } from "./ledger.ts";
import { isLive, startedPart } from "./run-state.ts";

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
