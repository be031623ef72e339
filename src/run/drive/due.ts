/** A run's single alarm: when the next thing is due, and doing what is due. */
import { expireRequest } from "../answer-request.ts";
import { requestNoticeDueMs, settleRequestNotice } from "../notice-due.ts";
import { isEnded } from "../run-state.ts";
import type { Ledger } from "../store/ledger.ts";
import type { RunRecord } from "../store/run-store.ts";
import { ABORTED, endRun, OUT_OF_TIME } from "./end-run.ts";

/** How often a run that should be making progress is checked, so that a dead loop is found even when nobody calls. */
const WATCHDOG_MS = 30_000;

/** How often a queued run checks that it still has its place. Its session watches the run at the head. */
const QUEUED_WATCH_MS = 60_000;

/** How long a transcript is kept after the run's end (api.md §3). */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** How long a stopped loop may take before the end is forced (run.md, Aborting). */
const FORCED_END_MS = 10_000;

/** After this long the end is forced in any case: each loop that was started to stop the run may have died too. */
const LAST_END_MS = 60_000;

/** What the instance knows about its own loop. */
export type DueTimes = {
  readonly nowMs: number;
  /** When the loop, if there is one, was told to stop. */
  readonly stoppingSinceMs: number | undefined;
  /** When the running time will be used up; undefined before a loop has started. */
  readonly usedUpAtMs: number | undefined;
  /** When it was found to be used up. */
  readonly usedUpSinceMs: number | undefined;
};

/** Epoch ms of the next thing that is due, or undefined when nothing ever will be. */
export const nextDueMs = (ledger: Ledger, record: RunRecord, times: DueTimes): number | undefined => {
  const { state, isPurged } = record;
  const { nowMs, stoppingSinceMs } = times;
  const due = [ledger.outbox.nextDueMs()];
  if (isEnded(state)) due.push(isPurged ? undefined : state.endedAtMs + RETENTION_MS);
  else if (state.status === "waiting_permission") due.push(expiryMs(ledger), requestNoticeDueMs(ledger, record, nowMs));
  else if (state.status === "aborting") due.push(Math.max(nowMs, forcedEndMs(state.sinceMs, stoppingSinceMs)));
  else if (state.status === "running") due.push(nowMs + WATCHDOG_MS, outOfTimeMs(times));
  else due.push(nowMs + QUEUED_WATCH_MS);
  const known = due.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** Does what is due and needs no loop: forces an end, expires a request, deletes a log past its retention. */
export const settleDue = (ledger: Ledger, record: RunRecord, times: DueTimes): void => {
  const { state } = record;
  const { nowMs, stoppingSinceMs, usedUpSinceMs } = times;
  if (state.status === "aborting" && nowMs >= forcedEndMs(state.sinceMs, stoppingSinceMs)) {
    endRun(ledger, ABORTED, nowMs);
  } else if (state.status === "running" && usedUpSinceMs !== undefined && nowMs >= usedUpSinceMs + FORCED_END_MS) {
    endRun(ledger, OUT_OF_TIME, nowMs);
  } else if (state.status === "waiting_permission") {
    settleRequestNotice(ledger, record, nowMs);
    expireRequest(ledger, nowMs);
  } else if (isEnded(state) && nowMs - state.endedAtMs >= RETENTION_MS) ledger.purgeLog(nowMs);
};

/** A loop that had to be started to stop the run has its own deadline: it ends the commands that a dead loop left behind. */
const forcedEndMs = (sinceMs: number, stoppingSinceMs = sinceMs): number =>
  Math.min(Math.max(sinceMs, stoppingSinceMs) + FORCED_END_MS, sinceMs + LAST_END_MS);

/** When to check a running run's time: when it is used up, and when its loop should have ended because of that. */
const outOfTimeMs = ({ nowMs, usedUpAtMs, usedUpSinceMs }: DueTimes): number | undefined => {
  const atMs = usedUpSinceMs === undefined ? usedUpAtMs : usedUpSinceMs + FORCED_END_MS;
  return atMs && Math.max(nowMs, atMs);
};

const expiryMs = (ledger: Ledger): number | undefined => {
  const request = ledger.requests.findOpen();
  return request === undefined ? undefined : Date.parse(request.expiresAt);
};
