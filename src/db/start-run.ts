/**
 * The one batch of a turn start. D1 has no other transaction, and a batch does not stop where a statement changes
 * nothing: so the run's insert alone decides, and everything after it selects from the row it made. What a run has to know
 * comes back with the insert; why there was none is asked only then.
 */
import { cutText } from "../contract/cut-text.ts";
import { HarnessSessionId, type OwnerEmail, type RunId, type ThreadId } from "../contract/ids.ts";
import type { Effort } from "../contract/models.ts";
import type { PermissionMode } from "../contract/permission.ts";
import type { CostUsd } from "../contract/run.ts";
import { type DaySpent, daySpent, hasDayLeft, limitParameters, readDaySpent } from "./day-costs.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";
import {
  findRefusal,
  hasThreadPlace,
  isLoginLive,
  KEY_TTL_MS,
  type RunConditions,
  type RunRefusal,
  storedFacts,
  takesEffort,
} from "./start-conditions.ts";

/** Runs of one thread that may be open: one lives, eight wait (CONTRACT §2). */
const MAX_OPEN_PER_THREAD = 9;

/** Runs of one owner that may be open. */
const MAX_OPEN_PER_OWNER = 100;

/** Longest title made from a prompt, in UTF-16 units. */
const TITLE_LENGTH = 80;

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
  readonly createdAtMs: number;
  /** `requestHash` tells a repeated request from another one under the same key. */
  readonly idempotency: { readonly key: string; readonly requestHash: string; readonly events: string } | undefined;
};

/** What became of it. `modelFacts`: what is stored of the run's model, as JSON. Where it was refused nothing was written. */
export type RunInsert =
  | {
      readonly type: "started";
      readonly sessionId: HarnessSessionId;
      /** This start made the thread's session. */
      readonly isNewSession: boolean;
      /** The directory of the thread's last turn, when it was another one. */
      readonly previousWorkspaceDir: string | undefined;
      readonly modelFacts: string | undefined;
      /** What had been spent that day; nothing where it has no budget. */
      readonly daySpent: { readonly owner: CostUsd; readonly all: CostUsd };
    }
  | RunRefusal;

/** What the run's insert gives back: the session's directory before this start changes it. */
type Inserted = DaySpent & { session_id: string; workspace_dir: string | null; model_facts: string | null };

/**
 * Writes run, session, thread and key, or nothing. @throws D1's error; where a table of turns was missing, it has been made.
 */
export const insertRun = (db: Db, run: NewRun, conditions: RunConditions): Promise<RunInsert> =>
  withTurnTables(db, async () => {
    const inserted = await insertAll(db, run, conditions);
    const key = run.idempotency?.key ?? null;
    if (inserted === undefined) return await findRefusal(db, { ...run, key }, conditions);
    const { session_id, workspace_dir, model_facts } = inserted;
    const sessionId = HarnessSessionId.parse(session_id);
    const previousWorkspaceDir = workspace_dir === run.workspaceDir ? undefined : (workspace_dir ?? undefined);
    const isNewSession = sessionId === run.sessionId;
    return {
      ...{ type: "started", sessionId, isNewSession, previousWorkspaceDir, modelFacts: model_facts ?? undefined },
      daySpent: readDaySpent(inserted),
    };
  });

const insertAll = async (
  { $client: d1 }: Db,
  run: NewRun,
  { loginId, modelFamily, effort, committedEfforts, dayLimits }: RunConditions,
): Promise<Inserted | undefined> => {
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
           AND ${hasDayLeft(dayLimits, 17)}
           AND ${takesEffort("?14", facts, "?15")}
         RETURNING session_id, ${facts} AS model_facts, ${daySpent(dayLimits, 17)},
           (SELECT workspace_dir FROM harness_sessions WHERE id = session_id) AS workspace_dir`,
      )
      .bind(
        ...[run.runId, run.ownerEmail, run.orgId, run.threadId, run.harness, run.sessionId, run.createdAtMs],
        ...[key, run.createdAtMs - KEY_TTL_MS, MAX_OPEN_PER_THREAD, MAX_OPEN_PER_OWNER, run.model, modelFamily],
        ...[effort ?? null, JSON.stringify(committedEfforts)],
        ...(loginId === undefined && dayLimits === undefined ? [] : [loginId ?? null]),
        ...limitParameters(dayLimits),
      ),
    d1
      .prepare(
        `INSERT INTO harness_sessions (id, owner_email, org_id, thread_id, harness, workspace_dir, permission_mode, created_at_ms)
         SELECT session_id, owner_email, org_id, thread_id, ?2, ?3, ?4, created_at_ms FROM runs WHERE run_id = ?1
         ON CONFLICT (owner_email, thread_id, harness) DO UPDATE SET workspace_dir = excluded.workspace_dir
         WHERE workspace_dir <> excluded.workspace_dir`,
      )
      .bind(run.runId, run.harness, run.workspaceDir, run.permissionMode),
    d1
      .prepare(
        `INSERT INTO threads (owner_email, thread_id, title, created_at_ms, updated_at_ms)
         SELECT owner_email, thread_id, ?2, created_at_ms, created_at_ms FROM runs WHERE run_id = ?1
         ON CONFLICT (owner_email, thread_id) DO UPDATE SET updated_at_ms = max(updated_at_ms, excluded.updated_at_ms)`,
      )
      .bind(run.runId, titleOf(run.prompt)),
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

/** The prompt's beginning on one line: what a thread is called until somebody names it. */
const titleOf = (prompt: string): string => {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length <= TITLE_LENGTH ? line : `${cutText(line, TITLE_LENGTH - 1)}…`;
};
