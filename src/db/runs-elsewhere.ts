/** A thread's runs with other harnesses. */
import type { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";

/** Most runs that a turn is told of: the 32 KB that it is told hold fewer. */
const MAX_RUNS = 50;

type RunElsewhere = { readonly runId: string; readonly sessionId: string; readonly harness: string };

/** Turns that the person has gone back past: no other harness is told of them, and what their runs told a model does not count. */
const IS_REPLACED = "EXISTS (SELECT 1 FROM run_marks WHERE id = listed.run_id || ':' || ?2 AND is_replaced)";

/**
 * The runs with other harnesses since the last run of this session that surely told its model of earlier ones, oldest first. A run that
 * failed, was aborted, has no known end or is in `leftOut` of what the session sends may not have told it: what it told is told again.
 */
export const listRunsElsewhere = async (
  db: Db,
  run: {
    readonly runId: RunId;
    readonly ownerEmail: OwnerEmail;
    readonly threadId: ThreadId;
    readonly sessionId: HarnessSessionId;
  },
  leftOut: readonly string[],
): Promise<readonly RunElsewhere[]> => {
  const { $client: d1 } = db;
  const { results } = await withTurnTables(db, () =>
    d1
      .prepare(
        `WITH listed AS (
           SELECT run_id, session_id, status, created_at_ms, rowid AS number FROM runs
             WHERE owner_email = ?1 AND thread_id = ?2
           UNION ALL SELECT runs.run_id, inherited_by, status, created_at_ms, runs.rowid
             FROM run_marks JOIN runs ON runs.run_id = run_marks.run_id
             WHERE run_marks.owner_email = ?1 AND run_marks.thread_id = ?2 AND inherited_by IS NOT NULL)
         SELECT listed.run_id AS runId, session_id AS sessionId, harness FROM listed
         JOIN harness_sessions ON harness_sessions.id = session_id
         WHERE session_id <> ?3
           AND NOT ${IS_REPLACED}
           AND (listed.created_at_ms, number) > (
             SELECT created_at_ms, number FROM listed
               WHERE session_id = ?3 AND status IN ('completed', 'incomplete') AND NOT ${IS_REPLACED}
                 AND run_id NOT IN (SELECT value FROM json_each(?6))
                 AND (created_at_ms, number) < (SELECT created_at_ms, rowid FROM runs WHERE run_id = ?4)
             UNION ALL SELECT 0, 0
             ORDER BY 1 DESC, 2 DESC LIMIT 1)
         ORDER BY listed.created_at_ms DESC, number DESC LIMIT ?5`,
      )
      .bind(run.ownerEmail, run.threadId, run.sessionId, run.runId, MAX_RUNS, JSON.stringify(leftOut))
      .all<RunElsewhere>(),
  );
  return results.toReversed();
};
