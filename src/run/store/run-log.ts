/**
 * Writes one log line for each transition of a run. The line of an HTTP request about the run has the same `runId`, and that request's id.
 */
import { ownerHash } from "../../contract/digest.ts";
import { log } from "../../contract/log.ts";
import { isEnded } from "../run-state.ts";
import type { RunRecord } from "./run-store.ts";

/** Whether a run has changed its status, or begun another attempt in the same one. */
export const isTransition = (before: RunRecord | undefined, after: RunRecord | undefined): after is RunRecord =>
  after !== undefined &&
  (before?.state.status !== after.state.status || before.attempts.attempt !== after.attempts.attempt);

/** Writes the line. `ms` counts from the turn's POST; `code` is present for a run that failed. */
export const logTransition = async ({ spec, state, attempts }: RunRecord, nowMs: number): Promise<void> => {
  const { runId, ownerEmail, createdAtMs } = spec;
  const code = isEnded(state) ? state.error?.code : undefined;
  const { status } = state;
  const owner = await ownerHash(ownerEmail);
  log.info("run", { runId, owner, status, attempt: attempts.attempt, ms: nowMs - createdAtMs, code });
};
