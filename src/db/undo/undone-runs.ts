/** Which runs a person has undone, so that the next turn of each chat that lists one is told. */
import type { OwnerEmail, RunId, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";

/** Most undone runs that a turn is told of, the newest ones. Each costs a call to the run's object. */
const MAX_RUNS = 5;

/** Notes that a run is being undone, or was. A run that was deleted meanwhile is not noted. */
export const noteUndone = async (db: Db, runId: RunId, nowMs: number): Promise<void> => {
  const { $client: d1 } = db;
  await withTurnTables(db, () =>
    d1
      .prepare(
        `INSERT INTO undone_runs (run_id, owner_email, undone_at_ms)
         SELECT run_id, owner_email, ?2 FROM runs WHERE run_id = ?1
         ON CONFLICT (run_id) DO UPDATE SET undone_at_ms = excluded.undone_at_ms`,
      )
      .bind(runId, nowMs)
      .run(),
  );
};

type UndoneRun = { readonly runId: string; readonly undoneAtMs: number };

/** The newest undone runs that a thread lists, its own or inherited, without those it has gone back past; oldest first. */
export const listUndoneRuns = async (
  db: Db,
  { ownerEmail, threadId }: { readonly ownerEmail: OwnerEmail; readonly threadId: ThreadId },
): Promise<readonly UndoneRun[]> => {
  const { $client: d1 } = db;
  const { results } = await withTurnTables(db, () =>
    d1
      .prepare(
        `SELECT undone_runs.run_id AS runId, undone_at_ms AS undoneAtMs
         FROM undone_runs JOIN runs ON runs.run_id = undone_runs.run_id
         LEFT JOIN run_marks ON run_marks.id = undone_runs.run_id || ':' || ?2
         WHERE undone_runs.owner_email = ?1 AND (runs.thread_id = ?2 OR inherited_by IS NOT NULL)
           AND coalesce(is_replaced, 0) = 0
         ORDER BY undone_at_ms DESC LIMIT ${MAX_RUNS}`,
      )
      .bind(ownerEmail, threadId)
      .all<UndoneRun>(),
  );
  return results.toReversed();
};
