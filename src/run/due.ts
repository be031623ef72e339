/** What a run's single alarm is for: when the next thing is due, and doing what is. */
import { expireRequest } from "./answer-request.ts";
import { ABORTED, endRun } from "./end-run.ts";
import type { Ledger } from "./ledger.ts";
import { isEnded } from "./run-state.ts";
import type { RunRecord } from "./run-store.ts";

/** How often a run that should be moving is looked at: a loop that died is found this soon without any caller. */
const WATCHDOG_MS = 30_000;

/** How long a transcript is kept after the run's end (CONTRACT §3). */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** How long a stopped loop may take before the end is forced (RUN.md, Aborting). */
const FORCED_END_MS = 10_000;

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

/** Does what is due without a loop: a forced end, an expired request, a log past its retention. */
export const settleDue = (ledger: Ledger, { state }: RunRecord, nowMs: number): void => {
  if (state.status === "aborting" && nowMs - state.sinceMs >= FORCED_END_MS) endRun(ledger, ABORTED, nowMs);
  else if (state.status === "waiting_permission") expireRequest(ledger, nowMs);
  else if (isEnded(state) && nowMs - state.endedAtMs >= RETENTION_MS) ledger.purgeLog(nowMs);
};

const expiryMs = (ledger: Ledger): number | undefined => {
  const request = ledger.requests.findOpen();
  return request === undefined ? undefined : Date.parse(request.expiresAt);
};
