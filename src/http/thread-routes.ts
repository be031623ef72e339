/** Threads of the caller: list, rename, delete, and the runs of one (CONTRACT §2). */
import type { Context, Hono } from "hono";
import { AppError } from "../contract/app-error.ts";
import { ThreadId } from "../contract/ids.ts";
import { type ThreadCompaction, ThreadPatch } from "../contract/thread.ts";
import { openDb } from "../db/db.ts";
import { findThreadSession, renameThread } from "../db/threads.ts";
import { anthropicHarness } from "../harness/anthropic-harness.ts";
import { compactThread } from "../turn/compact-thread.ts";
import { deleteThread } from "../turn/delete-thread.ts";
import { type Page, runPage, threadPage } from "../turn/list-threads.ts";
import type { AppEnv } from "./app-env.ts";
import { jsonBody } from "./json-body.ts";
import { formatPageCursor, parsePageCursor } from "./page-cursor.ts";
import { pausedRefusal } from "./paused.ts";
import { rateRefusal } from "./rate-limit.ts";
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
  route(app, `${THREAD_PATH}/compact`, {
    POST: async (c) => {
      // It asks the model, so it counts as a turn.
      const refusal = pausedRefusal(c.env) ?? (await rateRefusal(c, c.env.TURN_RATE));
      if (refusal !== undefined) throw refusal;
      const compacting = compactThread(c.env, c.var.caller.ownerEmail, threadIdOf(c));
      // It goes on when the client leaves, or the thread's place would stay taken. Who fails is told below, if anybody is left.
      c.executionCtx.waitUntil(compacting.catch(() => undefined));
      return c.json({ ok: true, ...(await compacting) } satisfies ThreadCompaction);
    },
  });
};

const titleRefusal = (): AppError => new AppError(400, "title: use 1 to 200 characters.");

const listCallersThreads = async (c: Context<AppEnv>): Promise<Response> => {
  const after = parsePageCursor(c.req.query("cursor"));
  const { views, last } = await threadPage(c.env, openDb(c.env.DB), c.var.caller.ownerEmail, {
    after: after && { updatedAtMs: after[0], threadId: after[1] },
    limit: THREADS_PER_PAGE,
  });
  return c.json({ threads: views, nextCursor: cursorOf(last) });
};

const listRunsOfThread = async (c: Context<AppEnv>): Promise<Response> => {
  const db = openDb(c.env.DB);
  const owner = c.var.caller.ownerEmail;
  const after = parsePageCursor(c.req.query("cursor"));
  const threadId = threadIdOf(c);
  if ((await findThreadSession(db, owner, threadId, anthropicHarness.name)) === undefined) throw threadNotFound();
  const { views, last } = await runPage(c.env, db, owner, threadId, {
    after: after && { createdAtMs: after[0], runId: after[1] },
    limit: RUNS_PER_PAGE,
  });
  return c.json({ runs: views, nextCursor: cursorOf(last) });
};

const cursorOf = (last: Page<unknown>["last"]): string | null =>
  last === undefined ? null : formatPageCursor(last.ms, last.id);

/** The id in the path. @throws {AppError} 404 for one that no thread can have. */
export const threadIdOf = (c: Context<AppEnv>): ThreadId => {
  const threadId = ThreadId.safeParse(c.req.param("thread_id"));
  if (!threadId.success) throw threadNotFound();
  return threadId.data;
};

/** Answered for unknown threads and for other people's. */
export const threadNotFound = (): AppError => new AppError(404, "Thread not found.");
