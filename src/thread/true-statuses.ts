/**
 * The true statuses of runs that D1's copy calls open. Their objects are asked, and D1 is corrected when its copy is out of date:
 * a lost hand-over, or a start that never reached its object, must not hold a place forever.
 */
import { RunId } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import type { CostUsd, RunStatus } from "../contract/run.ts";
import { within } from "../contract/within.ts";
import type { Db } from "../db/db.ts";
import { endedStatus, markRunEnded, type RunRow } from "../db/runs.ts";
import type { Env } from "../env.ts";

/** A run whose object still knows nothing of it after this long was never started. */
const START_GRACE_MS = 60_000;

/** How long a run's object may take to say its status, in ms: a list of threads waits for it, and so do other people's schedules. */
const ANSWER_MS = 5_000;

/** A run as its object reports it. `costUsd` is null when D1 has a better value, and when it is unknown. */
export type TrueStatus = { readonly status: RunStatus; readonly costUsd: CostUsd | null };

/** Each row's true status, by run id. A run whose object cannot be reached, or does not know it yet, counts as `queued`. */
export const trueStatuses = async (
  env: Env,
  db: Db,
  rows: readonly RunRow[],
  nowMs: number,
): Promise<ReadonlyMap<string, TrueStatus>> =>
  new Map(await Promise.all(rows.map(async (row) => [row.runId, await trueStatus(env, db, row, nowMs)] as const)));

const trueStatus = async (env: Env, db: Db, row: RunRow, nowMs: number): Promise<TrueStatus> => {
  const ended = endedStatus(row);
  if (ended !== undefined) return { status: ended, costUsd: null };
  const runId = RunId.parse(row.runId);
  const found = await within(ANSWER_MS, () => env.RUNS.getByName(runId).status()).catch((error: unknown) => {
    log.warn("Run unreachable.", { runId, error });
    return { status: "queued", ending: undefined } as const;
  });
  if (found?.ending !== undefined) {
    await markRunEnded(db, runId, found.ending);
    return found.ending;
  }
  if (found === undefined && nowMs - row.createdAtMs > START_GRACE_MS) {
    await markRunEnded(db, runId, { status: "failed", endedAtMs: nowMs, costUsd: null });
    return { status: "failed", costUsd: null };
  }
  return { status: found?.status ?? "queued", costUsd: null };
};
