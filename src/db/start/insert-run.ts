/**
 * The one batch of a turn start. D1 has no other kind of transaction, and a batch does not stop when a statement changes
 * nothing. So the run's insert alone decides, and every statement after it selects from the row it created. What a run needs to
 * know is returned by the insert; why there was none is queried only then.
 */
import type { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../../contract/ids.ts";
import type { Effort } from "../../contract/models.ts";
import type { PermissionMode } from "../../contract/permission.ts";
import type { CostUsd } from "../../contract/run.ts";
import { type DaySpent, daySpent, hasDayLeft, limitParameters, readDaySpent } from "../day-costs.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { KEY_LIFETIME_MS } from "../idempotency.ts";
import { titleOf } from "../list/thread-titles.ts";
import {
  admittedBy,
  findRefusal,
  hasThreadPlace,
  isLoginLive,
  isStillDue,
  type RunConditions,
  type RunRefusal,
  storedFacts,
  takesEffort,
} from "./start-conditions.ts";
import { type Found, readFound, type StartFound } from "./start-found.ts";

/** Most open runs of one thread: one is live, eight wait (api.md §1). */
export const MAX_OPEN_PER_THREAD = 9;

/** Most open runs of one owner. */
const MAX_OPEN_PER_OWNER = 100;

/** A turn start as D1 sees it. `sessionId` is the id a new session would get. */
export type NewRun = {
  readonly runId: RunId;
  readonly ownerEmail: OwnerEmail;
  readonly orgId: string | null;
  readonly threadId: ThreadId;
  readonly sessionId: HarnessSessionId;
  readonly harness: string;
  readonly workspaceDir: string;
  readonly permissionMode: PermissionMode;
  readonly prompt: string;
  readonly model: string;
  readonly effort?: Effort;
  readonly timeZone?: string;
  readonly loginId?: string;
  readonly scheduleId?: string;
  readonly createdAtMs: number;
  /** `requestHash` distinguishes a repeated request from a different one under the same key. */
  readonly idempotency: { readonly key: string; readonly requestHash: string; readonly events: string } | undefined;
};

/** The result of a start. If it was refused, nothing was written. */
export type RunInsert =
  | (StartFound & {
      readonly type: "started";
      /** Whether this start created the thread's session. */
      readonly isNewSession: boolean;
      /** What the person's screen shows, as JSON; null when none has reported it, undefined where its table is missing. */
      readonly screen: string | null | undefined;
      /** What had been spent that day; zero when the day has no budget. */
      readonly daySpent: { readonly owner: CostUsd; readonly all: CostUsd };
    })
  | RunRefusal;

/** What the run's insert returns. */
type Inserted = DaySpent & Found & { screen?: string | null };

/**
 * Writes run, session, thread and key, or nothing. @throws D1's error; if a table of turns was missing, it is created first.
 */
export const insertRun = (db: Db, run: NewRun, conditions: RunConditions): Promise<RunInsert> =>
  withTurnTables(db, async (isAgain) => {
    const inserted = await insertAll(db, run, conditions, !isAgain);
    const key = run.idempotency?.key ?? null;
    if (inserted === undefined) return await findRefusal(db, { ...run, key }, conditions);
    const { screen } = inserted;
    const found = readFound(inserted);
    const isNewSession = found.sessionId === run.sessionId;
    return { type: "started", ...found, isNewSession, screen, daySpent: readDaySpent(inserted) };
  });

/**
 * Why a start over the rate limit would be refused anyway, or the answer already given to its key: 429 comes last (api.md §1).
 * Writes nothing. Open runs are not counted: `too_many_runs` says that nothing else is wrong.
 */
export const wouldBeRefused = (db: Db, run: NewRun, conditions: RunConditions): Promise<RunRefusal> =>
  withTurnTables(db, () => findRefusal(db, { ...run, key: run.idempotency?.key ?? null }, conditions));

const insertAll = async (
  { $client: d1 }: Db,
  run: NewRun,
  conditions: RunConditions,
  asksForScreen: boolean,
): Promise<Inserted | undefined> => {
  const { loginId, modelFamily, effort, committedEfforts, dayLimits, occurrence } = conditions;
  const admitted = admittedBy(conditions);
  const key = run.idempotency?.key ?? null;
  const facts = storedFacts("?12", "?13");
  const results = await d1.batch<Inserted>([
    d1
      .prepare(
        `INSERT INTO runs (run_id, owner_email, org_id, thread_id, session_id, status, created_at_ms)
         SELECT ?1, ?2, ?3, ?4,
           coalesce((SELECT id FROM harness_sessions WHERE owner_email = ?2 AND thread_id = ?4 AND harness = ?5), ?6),
           'queued', ?7
         WHERE (SELECT count(*) FROM runs WHERE owner_email = ?2 AND thread_id = ?4 AND finished_at_ms IS NULL) < ?10
           AND (SELECT count(*) FROM runs WHERE owner_email = ?2 AND finished_at_ms IS NULL) < ?11
           AND NOT EXISTS (SELECT 1 FROM idempotency_keys
             WHERE owner_email = ?2 AND scope = 'turn' AND key = ?8 AND created_at_ms > ?9)
           AND ${isLoginLive(loginId, "?16", "?7")}
           AND ${hasThreadPlace("?2", "?4")}
           AND ${isStillDue(occurrence, "?2", "?16")}
           AND ${hasDayLeft(dayLimits, 17)}
           AND ${takesEffort("?14", facts, "?15")}
         RETURNING session_id, ${facts} AS model_facts, ${daySpent(dayLimits, 17)},
           ${asksForScreen ? "(SELECT state FROM navigation WHERE owner_email = ?2) AS screen," : ""}
           (SELECT workspace_dir FROM harness_sessions WHERE id = session_id) AS workspace_dir,
           (SELECT id FROM harness_sessions WHERE owner_email = ?2 AND thread_id = ?4
             ORDER BY rowid LIMIT 1) AS first_session_id,
           EXISTS (SELECT 1 FROM harness_sessions WHERE owner_email = ?2 AND thread_id = ?4
             AND harness <> ?5) AS has_other`,
      )
      .bind(
        ...[run.runId, run.ownerEmail, run.orgId, run.threadId, run.harness, run.sessionId, run.createdAtMs],
        ...[key, run.createdAtMs - KEY_LIFETIME_MS, MAX_OPEN_PER_THREAD, MAX_OPEN_PER_OWNER, run.model, modelFamily],
        ...[effort ?? null, JSON.stringify(committedEfforts)],
        ...(admitted === null && dayLimits === undefined ? [] : [admitted]),
        ...limitParameters(dayLimits),
      ),
    d1
      .prepare(
        `INSERT INTO harness_sessions (id, owner_email, org_id, thread_id, harness, workspace_dir, permission_mode, created_at_ms)
         SELECT session_id, owner_email, org_id, thread_id, ?2, ?3, ?4, created_at_ms FROM runs WHERE run_id = ?1
         ON CONFLICT (owner_email, thread_id, harness) DO NOTHING`,
      )
      .bind(run.runId, run.harness, run.workspaceDir, run.permissionMode),
    d1
      .prepare(
        `INSERT INTO threads (owner_email, thread_id, title, created_at_ms, updated_at_ms)
         SELECT owner_email, thread_id, ?2, created_at_ms, created_at_ms FROM runs WHERE run_id = ?1
         ON CONFLICT (owner_email, thread_id) DO UPDATE SET updated_at_ms = max(updated_at_ms, excluded.updated_at_ms),
           title = CASE WHEN ?3 = (SELECT session_id FROM runs WHERE run_id = ?1) AND EXISTS (SELECT 1 FROM thread_deletions
             WHERE owner_email = excluded.owner_email AND thread_id = excluded.thread_id) THEN excluded.title ELSE title END`,
      )
      // A chat that is begun again while the former one of its id is being deleted must not get the former one's title.
      .bind(run.runId, titleOf(run.prompt), run.sessionId),
    ...(run.idempotency === undefined ? [] : [insertKey(d1, run, run.idempotency)]),
  ]);
  return results[0]?.results[0];
};

const insertKey = (d1: D1Database, run: NewRun, idempotency: NonNullable<NewRun["idempotency"]>): D1PreparedStatement =>
  d1
    .prepare(
      `INSERT OR REPLACE INTO idempotency_keys (owner_email, scope, key, request_hash, response, created_at_ms)
       SELECT owner_email, 'turn', ?2, ?3,
         json_object('runId', run_id, 'sessionId', CASE WHEN session_id = ?4 THEN NULL ELSE session_id END, 'events', ?5),
         created_at_ms
       FROM runs WHERE run_id = ?1`,
    )
    .bind(run.runId, idempotency.key, idempotency.requestHash, run.sessionId, idempotency.events);

/** Forgets the idempotency key of a start that came too late, so that the turn may be asked for again under it. */
export const forgetStart = async ({ $client: d1 }: Db, owner: OwnerEmail, runId: RunId): Promise<void> => {
  await d1
    .prepare(
      `DELETE FROM idempotency_keys WHERE owner_email = ?1 AND scope = 'turn' AND json_extract(response, '$.runId') = ?2`,
    )
    .bind(owner, runId)
    .run();
};
