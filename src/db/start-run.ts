/**
 * The one batch of a turn start. D1 has no other transaction, and a batch does not stop where a statement changes
 * nothing: so the run's insert alone decides, and everything after it selects from the row it made.
 */
import { cutText } from "../contract/cut-text.ts";
import { HarnessSessionId, type OwnerEmail, type RunId, type ThreadId } from "../contract/ids.ts";
import type { PermissionMode } from "../contract/permission.ts";
import type { Db } from "./db.ts";

/** Runs of one thread that may be open: one lives, eight wait (CONTRACT §2). */
const MAX_OPEN_PER_THREAD = 9;

/** Runs of one owner that may be open. */
const MAX_OPEN_PER_OWNER = 100;

/** How long an answer is kept under its idempotency key. */
const KEY_TTL_MS = 24 * 3_600_000;

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
  readonly createdAtMs: number;
  /** `requestHash` tells a repeated request from another one under the same key. */
  readonly idempotency: { readonly key: string; readonly requestHash: string; readonly events: string } | undefined;
};

/** What became of it. */
export type RunInsert =
  | {
      readonly type: "started";
      readonly sessionId: HarnessSessionId;
      /** This start made the thread's session. */
      readonly isNewSession: boolean;
      /** The directory of the thread's last turn, when it was another one. */
      readonly previousWorkspaceDir: string | undefined;
    }
  /** The key is known: the answer it was given then, as JSON. */
  | { readonly type: "replayed"; readonly requestHash: string; readonly response: string }
  /** The log-in was revoked; nothing was written. */
  | { readonly type: "revoked" }
  /** Too many open runs; nothing was written. */
  | { readonly type: "refused" };

type Outcome = {
  session_id: string | null;
  request_hash: string | null;
  response: string | null;
  is_login_live: number;
};

/** What the run's insert gives back: the session's directory before this start changes it. */
type Inserted = { workspace_dir: string | null };

/**
 * Writes run, session, thread and key, or nothing. `loginId`: the log-in that has to be live; none where sign-in is
 * off. @throws D1's error, `no such table` among them.
 */
export const insertRun = async (db: Db, run: NewRun, loginId?: string): Promise<RunInsert> => {
  const { $client: d1 } = db;
  const key = run.idempotency?.key ?? null;
  // Without a log-in its table is not named: where no migration has run it does not exist (spec §4.1.4).
  const isLive = loginId === undefined ? () => "1" : isLoginLive;
  const login = loginId === undefined ? [] : [loginId];
  const results = await d1.batch<Outcome & Inserted>([
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
           AND ${isLive("?12", "?7")}
         RETURNING (SELECT workspace_dir FROM harness_sessions WHERE id = session_id) AS workspace_dir`,
      )
      .bind(
        run.runId,
        run.ownerEmail,
        run.orgId,
        run.threadId,
        run.harness,
        run.sessionId,
        run.createdAtMs,
        key,
        run.createdAtMs - KEY_TTL_MS,
        MAX_OPEN_PER_THREAD,
        MAX_OPEN_PER_OWNER,
        ...login,
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
    ...(run.idempotency === undefined ? [] : [insertKey(d1, run, run.idempotency), deleteOldKeys(d1, run.createdAtMs)]),
    d1
      .prepare(
        `SELECT (SELECT session_id FROM runs WHERE run_id = ?1) AS session_id, k.request_hash, k.response,
           ${isLive("?6", "?5")} AS is_login_live
         FROM (SELECT 1) LEFT JOIN idempotency_keys AS k
           ON k.owner_email = ?2 AND k.scope = 'turn' AND k.key = ?3 AND k.created_at_ms > ?4`,
      )
      .bind(
        ...[run.runId, run.ownerEmail, key, run.createdAtMs - KEY_TTL_MS],
        ...login.flatMap((id) => [run.createdAtMs, id]),
      ),
  ]);
  const previous = results[0]?.results[0]?.workspace_dir ?? run.workspaceDir;
  return outcomeOf(results.at(-1)?.results[0], run, previous === run.workspaceDir ? undefined : previous);
};

const isLoginLive = (id: string, nowMs: string): string =>
  `EXISTS (SELECT 1 FROM logins WHERE id = ${id} AND expires_at_ms > ${nowMs})`;

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

/** Keys past their time, anybody's, a few with each start that brings a key: so they never pile up. */
const deleteOldKeys = (d1: D1Database, nowMs: number): D1PreparedStatement =>
  d1
    .prepare(
      `DELETE FROM idempotency_keys WHERE rowid IN
         (SELECT rowid FROM idempotency_keys WHERE created_at_ms <= ? ORDER BY created_at_ms LIMIT 20)`,
    )
    .bind(nowMs - KEY_TTL_MS);

const outcomeOf = (row: Outcome | undefined, run: NewRun, previousWorkspaceDir: string | undefined): RunInsert => {
  if (row?.session_id) {
    const sessionId = HarnessSessionId.parse(row.session_id);
    return { type: "started", sessionId, isNewSession: sessionId === run.sessionId, previousWorkspaceDir };
  }
  if (row?.is_login_live === 0) return { type: "revoked" };
  if (row?.request_hash && row.response) {
    return { type: "replayed", requestHash: row.request_hash, response: row.response };
  }
  return { type: "refused" };
};

/** The prompt's beginning on one line: what a thread is called until somebody names it. */
const titleOf = (prompt: string): string => {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length <= TITLE_LENGTH ? line : `${cutText(line, TITLE_LENGTH - 1)}…`;
};
