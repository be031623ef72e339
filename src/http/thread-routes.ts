/** Threads of the caller: list, rename, delete, and the runs of one (CONTRACT §2). */
import type { Context, Hono } from "hono";
import { AppError } from "../contract/app-error.ts";
import { RunId, ThreadId } from "../contract/ids.ts";
import { isTerminal } from "../contract/run.ts";
import { ThreadPatch, type ThreadRunView, type ThreadView } from "../contract/thread.ts";
import { openDb } from "../db/db.ts";
import { listOpenRuns, listThreadRuns } from "../db/runs.ts";
import { findThreadSession, listThreads, renameThread, type ThreadRow } from "../db/threads.ts";
import { anthropicHarness } from "../harness/anthropic-harness.ts";
import { deleteThread } from "../turn/delete-thread.ts";
import { eventsPath } from "../turn/events-path.ts";
import { trueStatuses } from "../turn/true-statuses.ts";
import type { AppEnv } from "./app-env.ts";
import { jsonBody } from "./json-body.ts";
import { formatPageCursor, parsePageCursor } from "./page-cursor.ts";
import { guardChange, route } from "./route.ts";

/** Threads of one page. */
const THREADS_PER_PAGE = 50;

/** Runs of one page. */
const RUNS_PER_PAGE = 200;

const THREAD_PATH = "/_framework/threads/:thread_id";

/** Mounts the thread routes. */
export const mountThreadRoutes = (app: Hono<AppEnv>): void => {
  route(app, "/_framework/threads", { GET: listCallersThreads });
  guardChange(app, "PATCH", THREAD_PATH);
  app.patch(THREAD_PATH, jsonBody(ThreadPatch, titleRefusal), async (c) => {
    const { title } = c.req.valid("json");
    const threadId = threadIdOf(c);
    const isRenamed = await renameThread(openDb(c.env.DB), c.var.caller.ownerEmail, threadId, title);
    if (!isRenamed) throw threadNotFound();
    return c.json({ threadId, title });
  });
  const remove = async (c: Context<AppEnv>): Promise<Response> => {
    await deleteThread(c.env, c.var.caller.ownerEmail, threadIdOf(c));
    return c.json({ ok: true });
  };
  route(app, THREAD_PATH, { DELETE: remove }, ["PATCH"]);
  route(app, `${THREAD_PATH}/runs`, { GET: listRunsOfThread });
};

const titleRefusal = (): AppError => new AppError(400, "title: use 1 to 200 characters.");

const listCallersThreads = async (c: Context<AppEnv>): Promise<Response> => {
  const db = openDb(c.env.DB);
  const owner = c.var.caller.ownerEmail;
  const after = parsePageCursor(c.req.query("cursor"));
  const rows = await listThreads(db, owner, {
    after: after && { updatedAtMs: after[0], threadId: after[1] },
    limit: THREADS_PER_PAGE,
  });
  const open = await listOpenRuns(
    db,
    owner,
    rows.map((row) => row.threadId),
  );
  const statuses = await trueStatuses(c.env, db, open, Date.now());
  // Oldest first: the first one still open is the one whose turn it is.
  const active = new Map<string, string>();
  for (const row of open.toReversed()) {
    if (!isTerminal(statuses.get(row.runId) ?? "queued")) active.set(row.threadId, row.runId);
  }
  const last = rows.length === THREADS_PER_PAGE ? rows.at(-1) : undefined;
  return c.json({
    threads: rows.map((row) => threadView(row, active.get(row.threadId))),
    nextCursor: last === undefined ? null : formatPageCursor(last.updatedAtMs, last.threadId),
  });
};

const listRunsOfThread = async (c: Context<AppEnv>): Promise<Response> => {
  const db = openDb(c.env.DB);
  const owner = c.var.caller.ownerEmail;
  const after = parsePageCursor(c.req.query("cursor"));
  const threadId = threadIdOf(c);
  if ((await findThreadSession(db, owner, threadId, anthropicHarness.name)) === undefined) throw threadNotFound();
  const rows = await listThreadRuns(db, owner, threadId, {
    after: after && { createdAtMs: after[0], runId: after[1] },
    limit: RUNS_PER_PAGE,
  });
  const statuses = await trueStatuses(c.env, db, rows, Date.now());
  const last = rows.length === RUNS_PER_PAGE ? rows.at(-1) : undefined;
  return c.json({
    runs: rows.map(
      (row): ThreadRunView => ({
        runId: RunId.parse(row.runId),
        status: statuses.get(row.runId) ?? "queued",
        createdAt: isoTime(row.createdAtMs),
        events: eventsPath(row.runId),
      }),
    ),
    nextCursor: last === undefined ? null : formatPageCursor(last.createdAtMs, last.runId),
  });
};

const threadView = (row: ThreadRow, activeRunId: string | undefined): ThreadView => ({
  threadId: ThreadId.parse(row.threadId),
  title: row.title,
  updatedAt: isoTime(row.updatedAtMs),
  activeRunId: activeRunId === undefined ? null : RunId.parse(activeRunId),
});

/** The id in the path. @throws {AppError} 404 for one that no thread can have. */
export const threadIdOf = (c: Context<AppEnv>): ThreadId => {
  const threadId = ThreadId.safeParse(c.req.param("thread_id"));
  if (!threadId.success) throw threadNotFound();
  return threadId.data;
};

/** Answered for unknown threads and for other people's. */
export const threadNotFound = (): AppError => new AppError(404, "Thread not found.");

const isoTime = (ms: number): string => new Date(ms).toISOString();
