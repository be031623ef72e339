/**
 * What runs really are, where D1's copy says they live. The objects are asked, and D1 is mended where its copy is
 * behind: a lost hand-over or a start that never reached its object must not hold a place for ever.
 */
import { RunId } from "../contract/ids.ts";
import { isTerminal, type RunStatus } from "../contract/run.ts";
import type { Db } from "../db/db.ts";
import { endedStatus, markRunEnded, type RunRow } from "../db/runs.ts";
import type { Env } from "../env.ts";

/** After this long, a run whose object knows nothing of it was never started. */
const START_GRACE_MS = 60_000;

/** Each row's true status, by run id. A run whose object cannot be asked keeps what D1 says. */
export const trueStatuses = async (
  env: Env,
  db: Db,
  rows: readonly RunRow[],
  nowMs: number,
): Promise<ReadonlyMap<string, RunStatus>> =>
  new Map(await Promise.all(rows.map(async (row) => [row.runId, await trueStatus(env, db, row, nowMs)] as const)));

const trueStatus = async (env: Env, db: Db, row: RunRow, nowMs: number): Promise<RunStatus> => {
  const ended = endedStatus(row);
  if (ended !== undefined) return ended;
  const runId = RunId.parse(row.runId);
  const found = await env.RUNS.getByName(runId)
    .status()
    .catch((error: unknown) => {
      console.warn(JSON.stringify({ level: "warn", message: "Run unreachable.", runId, error: String(error) }));
      return { status: "queued", endedAtMs: undefined } as const;
    });
  if (found !== undefined && isTerminal(found.status)) {
    await markRunEnded(db, runId, found.status, found.endedAtMs ?? nowMs);
  } else if (found === undefined && nowMs - row.createdAtMs > START_GRACE_MS) {
    await markRunEnded(db, runId, "failed", nowMs);
    return "failed";
  }
  return found?.status ?? "queued";
};
