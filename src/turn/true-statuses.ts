/**
 * What runs really are, where D1's copy says they live. The objects are asked, and D1 is mended where its copy is
 * behind: a lost hand-over or a start that never reached its object must not hold a place for ever.
 */
import { RunId } from "../contract/ids.ts";
import type { CostUsd, RunStatus } from "../contract/run.ts";
import type { Db } from "../db/db.ts";
import { endedStatus, markRunEnded, type RunRow } from "../db/runs.ts";
import type { Env } from "../env.ts";

/** After this long, a run whose object knows nothing of it was never started. */
const START_GRACE_MS = 60_000;

/** A run as its object tells of it. `costUsd` is null where D1 knows better, and where nobody knows. */
export type TrueStatus = { readonly status: RunStatus; readonly costUsd: CostUsd | null };

/** Each row's true status, by run id. A run whose object cannot be asked keeps what D1 says. */
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
  const found = await env.RUNS.getByName(runId)
    .status()
    .catch((error: unknown) => {
      console.warn(JSON.stringify({ level: "warn", message: "Run unreachable.", runId, error: String(error) }));
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
