/** Deletes a run with its thread. Whoever watches the run still reads how it ended; then only its cost is left, in the day's counters. */
import { log } from "../contract/log.ts";
import { waitAtMost } from "../contract/within.ts";
import { addDayCost } from "../db/day-costs.ts";
import { openDb } from "../db/db.ts";
import { noteHostSessions } from "../db/host/host-deletions.ts";
import type { Env } from "../env.ts";
import { findHarness, loadHarness } from "../harness/registry.ts";
import { reach } from "../objects/reach.ts";
import { workspaceObjectOf } from "../workspace/durable/durable-workspace.ts";
import type { Driver } from "./drive/driver.ts";
import { ABORTED, endRun } from "./drive/end-run.ts";
import { dayCostOf } from "./drive/hand-over.ts";
import { CLOSING } from "./notice-due.ts";
import { isEnded, type RunState } from "./run-state.ts";
import { sendNotice } from "./send-notice.ts";
import type { Ledger } from "./store/ledger.ts";
import { LISTS } from "./store/outbox.ts";

/** How long the deletion waits for subscribers to read the end, in ms: an active reader does so at once, any other has stalled. */
const LAST_FRAMES_MS = 1_000;

/**
 * Stops the run's loop, ends the run as aborted, ends its streams, and deletes everything. When repeated after a failure, it counts nothing
 * twice.
 */
export const deleteRun = async (ledger: Ledger, driver: Driver, env: Env, nowMs: number): Promise<void> => {
  driver.flush();
  driver.stop();
  try {
    if (ledger.runs.find() !== undefined) {
      endRun(ledger, ABORTED, nowMs);
      await ledger.flush();
      await waitAtMost(LAST_FRAMES_MS, ledger.subscribers.gone());
    }
  } catch (error) {
    // A run that cannot be ended, because a row cannot be read for example, is deleted all the same.
    log.warn("Deleted without an end.", { error });
  }
  await countCost(ledger, env, nowMs);
  await closeNotices(ledger, env);
  await noteHostSession(ledger, env, nowMs);
  await dropKept(ledger, env);
  // A delivery under way would write into tables that no longer exist.
  await ledger.outbox.idle();
  await ledger.clear();
};

/** Counts the cost that has not been handed over. Rejects when D1 fails: the deletion is then requested again. */
const countCost = async (ledger: Ledger, env: Env, nowMs: number): Promise<void> => {
  const state = readState(ledger);
  if (state === undefined || (isEnded(state) && !ledger.outbox.has(LISTS))) return;
  const cost = await dayCostOf(ledger, isEnded(state) ? state.endedAtMs : nowMs);
  if (cost !== undefined) await addDayCost(openDb(env.DB), cost);
};

/** Closes what is still open on somebody's phone. Rejects when D1 fails, as above. */
const closeNotices = async (ledger: Ledger, env: Env): Promise<void> => {
  if (readState(ledger) === undefined) return;
  await ledger.outbox.idle();
  for (const receiver of ledger.outbox.receivers(CLOSING)) await sendNotice(receiver, ledger, env);
};

/** Deletes the copies of files from before the run changed them. Rejects when their object cannot be reached, as above. */
const dropKept = async (ledger: Ledger, env: Env): Promise<void> => {
  if (readState(ledger) === undefined || ledger.images.files().length === 0) return;
  const { ownerEmail, runId } = ledger.record().spec;
  await reach(async () => await (await workspaceObjectOf(env.WORKSPACES, ownerEmail)).dropKept(runId));
};

/** Notes what the run's harness keeps on the person's own machine: a session does not know of it before its first turn ends. */
const noteHostSession = async (ledger: Ledger, env: Env, nowMs: number): Promise<void> => {
  const sessionId = await findHostSession(ledger);
  if (sessionId !== undefined) await noteHostSessions(openDb(env.DB), [sessionId], nowMs);
};

/** Undefined if there is none, or if a row cannot be read. */
const findHostSession = async (ledger: Ledger): Promise<string | undefined> => {
  try {
    const harness = ledger.runs.find()?.spec.harness ?? "";
    if (findHarness(harness)?.keepsHostSessions !== true) return undefined;
    const adapter = await loadHarness(harness);
    const kept = ledger.turnState.find();
    return kept && adapter.hostSession?.({ state: kept.state });
  } catch {
    return undefined;
  }
};

/** Undefined if there is no run, or if its row cannot be read: then what the run has cost is not known. */
const readState = (ledger: Ledger): RunState | undefined => {
  try {
    return ledger.runs.find()?.state;
  } catch {
    return undefined;
  }
};
