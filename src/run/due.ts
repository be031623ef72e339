/** What a run's single alarm is for: when the next thing is due, and doing what is. */
import { expireRequest } from "./answer-request.ts";
import { ABORTED, EXPIRED, endRun } from "./end-run.ts";
import type { Ledger } from "./ledger.ts";
import { isEnded } from "./run-state.ts";
import type { RunRecord } from "./run-store.ts";

/** How often a run that should be moving is looked at: a loop that died is found this soon without any caller. */
const WATCHDOG_MS = 30_000;

/** How often a run that waits for its turn looks whether it still has its place: its session watches who is ahead. */
const QUEUED_WATCH_MS = 60_000;

/** How long a transcript is kept after the run's end (CONTRACT §3). */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** How long a stopped loop may take before the end is forced (RUN.md, Aborting). */
const FORCED_END_MS = 10_000;

/** After so long the end is forced whatever happens: each loop that was to stop may have died again. */
const LAST_END_MS = 60_000;

/** What the instance knows of its own loop. */
export type DueTimes = {
  readonly nowMs: number;
  /** Since when the loop, if there is one, has been told to stop. */
  readonly stoppingSinceMs: number | undefined;
  /** When the running time will be used up; undefined before a loop has started. */
  readonly usedUpAtMs: number | undefined;
  /** Since when it is known to be. */
  readonly usedUpSinceMs: number | undefined;
};

/** Epoch ms of the next due thing, or undefined when nothing ever will be. */
export const nextDueMs = (ledger: Ledger, { state, isPurged }: RunRecord, times: DueTimes): number | undefined => {
  const { nowMs, stoppingSinceMs } = times;
  const due = [ledger.outbox.nextDueMs()];
  if (isEnded(state)) due.push(isPurged ? undefined : state.endedAtMs + RETENTION_MS);
  else if (state.status === "waiting_permission") due.push(expiryMs(ledger));
  else if (state.status === "aborting") due.push(Math.max(nowMs, forcedEndMs(state.sinceMs, stoppingSinceMs)));
  else if (state.status === "running") due.push(nowMs + WATCHDOG_MS, expiredEndMs(times));
  else due.push(nowMs + QUEUED_WATCH_MS);
  const known = due.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** Does what is due without a loop: a forced end, an expired request, a log past its retention. */
export const settleDue = (ledger: Ledger, { state }: RunRecord, times: DueTimes): void => {
  const { nowMs, stoppingSinceMs, usedUpSinceMs } = times;
  if (state.status === "aborting" && nowMs >= forcedEndMs(state.sinceMs, stoppingSinceMs)) {
    endRun(ledger, ABORTED, nowMs);
  } else if (state.status === "running" && usedUpSinceMs !== undefined && nowMs >= usedUpSinceMs + FORCED_END_MS) {
    endRun(ledger, EXPIRED, nowMs);
  } else if (state.status === "waiting_permission") expireRequest(ledger, nowMs);
  else if (isEnded(state) && nowMs - state.endedAtMs >= RETENTION_MS) ledger.purgeLog(nowMs);
};

/** A loop that had to be started for it has its own time: it ends the commands that a dead one has left. */
const forcedEndMs = (sinceMs: number, stoppingSinceMs = sinceMs): number =>
  Math.min(Math.max(sinceMs, stoppingSinceMs) + FORCED_END_MS, sinceMs + LAST_END_MS);

/** When a running run's time has to be looked at: when it is used up, and when its loop should have ended for that. */
const expiredEndMs = ({ nowMs, usedUpAtMs, usedUpSinceMs }: DueTimes): number | undefined => {
  const atMs = usedUpSinceMs === undefined ? usedUpAtMs : usedUpSinceMs + FORCED_END_MS;
  return atMs && Math.max(nowMs, atMs);
};

const expiryMs = (ledger: Ledger): number | undefined => {
  const request = ledger.requests.findOpen();
  return request === undefined ? undefined : Date.parse(request.expiresAt);
};
