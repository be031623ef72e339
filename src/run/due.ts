/** What a run's single alarm is for: one function says when the next thing is due. */
import type { Ledger } from "./ledger.ts";
import { isEnded } from "./run-state.ts";
import type { RunRecord } from "./run-store.ts";

/** How often a run that should be moving is looked at: a loop that died is found this soon without any caller. */
const WATCHDOG_MS = 30_000;

/** How long a transcript is kept after the run's end (CONTRACT §3). */
export const RETENTION_MS = 30 * 24 * 3_600_000;

/** How long a stopped loop may take before the end is forced (RUN.md, Aborting). */
export const FORCED_END_MS = 10_000;

/** Epoch ms of the next due thing, or undefined when nothing ever will be. */
export const nextDueMs = (ledger: Ledger, { state, isPurged }: RunRecord, nowMs: number): number | undefined => {
  const due = [ledger.outbox.nextDueMs()];
  if (isEnded(state)) due.push(isPurged ? undefined : state.endedAtMs + RETENTION_MS);
  else if (state.status === "waiting_permission") due.push(expiryMs(ledger));
  else if (state.status === "aborting") due.push(Math.max(nowMs, state.sinceMs + FORCED_END_MS));
  else due.push(nowMs + WATCHDOG_MS);
  const times = due.filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
};

const expiryMs = (ledger: Ledger): number | undefined => {
  const request = ledger.requests.findOpen();
  return request === undefined ? undefined : Date.parse(request.expiresAt);
};
