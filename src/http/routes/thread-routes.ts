/** The caller's threads: list, rename, delete, going back in one and branching it, and the runs of one (api.md §2). */
import type { Context, Hono } from "hono";
import { AppError } from "../../contract/app-error.ts";
import { ThreadId } from "../../contract/ids.ts";
import {
  BeforeRun,
  type ForkedThread,
  MAX_SEARCH_LENGTH,
  type ThreadCompaction,
  ThreadPatch,
} from "../../contract/thread.ts";
import { openDb } from "../../db/db.ts";
import { findThreadSession, renameThread } from "../../db/threads.ts";
import { deleteNotedSessions } from "../../run/host/purge-session.ts";
import { compactThread } from "../../thread/compact-thread.ts";
import { deleteThread } from "../../thread/delete-thread.ts";
import { forkThread } from "../../thread/fork-thread.ts";
import { rewindThread } from "../../thread/rewind-thread.ts";
import { findThreads, type Page, runPage, threadPage } from "../../thread/threads.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody } from "../body.ts";
import { outliveClient } from "../outlive-client.ts";
import { formatPageCursor, parsePageCursor } from "../page-cursor.ts";
import { limitChange, rateRefusal } from "../rate-limit.ts";
import { guardChange, limitedRead, refuseOtherMethods, route } from "../route.ts";
import { idempotencyKeyOf, pausedRefusal } from "../start-checks.ts";

/** Threads on one page. */
const THREADS_PER_PAGE = 50;

/** Runs on one page. */
const RUNS_PER_PAGE = 200;

const THREAD_PATH = "/_framework/threads/:thread_id";

/** Mounts the thread routes. */
export const mountThreadRoutes = (app: Hono<AppEnv>): void => {
  route(app, "/_framework/threads", { GET: listCallersThreads });
  guardChange(app, "PATCH", THREAD_PATH);
  app.patch(THREAD_PATH, jsonBody(ThreadPatch, titleRefusal), async (c) => {
    const { title } = c.req.valid("json");
    const threadId = await limitedThread(c);
    const isRenamed = await renameThread(openDb(c.env.DB), c.var.caller.ownerEmail, threadId, title);
    if (!isRenamed) throw threadNotFound();
    return c.json({ threadId, title });
  });
  const remove = async (c: Context<AppEnv>): Promise<Response> => {
    const threadId = await limitedThread(c);
    // If it were cut off, runs would go on without their thread's session.
    await outliveClient(c, deleteThread(c.env, c.var.caller.ownerEmail, threadId));
    // Nobody waits for a person's own machine. The cron does what fails here.
    c.executionCtx.waitUntil(deleteNotedSessions(c.env, Date.now()).catch(() => undefined));
    return c.json({ ok: true });
  };
  route(app, THREAD_PATH, { DELETE: remove }, ["PATCH"]);
  route(app, `${THREAD_PATH}/runs`, { GET: listRunsOfThread });
  route(app, `${THREAD_PATH}/compact`, {
    POST: async (c) => {
      // It asks the model, so it counts as a turn.
      const refuse = async () => pausedRefusal(c.env) ?? (await rateRefusal(c, c.env.TURN_RATE));
      // If it were cut off, the thread's place would stay taken until the reservation is over, and what the provider took for the summary
      // would be counted nowhere.
      const compacted = await outliveClient(c, compactThread(c.env, c.var.caller.ownerEmail, threadIdOf(c), refuse));
      return c.json({ ok: true, ...compacted } satisfies ThreadCompaction);
    },
  });
};

const REWIND_PATH = `${THREAD_PATH}/rewind`;

const FORK_PATH = `${THREAD_PATH}/fork`;

/** Mounts going back and branching. */
export const mountBranchRoutes = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", REWIND_PATH);
  app.post(REWIND_PATH, jsonBody(BeforeRun, runRefusal), async (c) => {
    const { ownerEmail } = c.var.caller;
    const { beforeRunId } = c.req.valid("json");
    // If it were cut off, the thread's place would stay taken until the reservation is over.
    await outliveClient(
      c,
      rewindThread(c.env, ownerEmail, threadIdOf(c), beforeRunId, () => limitChange(c)),
    );
    return c.json({ ok: true });
  });
  refuseOtherMethods(app, REWIND_PATH, ["POST"]);
  guardChange(app, "POST", FORK_PATH);
  app.post(FORK_PATH, jsonBody(BeforeRun, runRefusal), async (c) => {
    const { beforeRunId } = c.req.valid("json");
    const request = {
      ownerEmail: c.var.caller.ownerEmail,
      threadId: threadIdOf(c),
      beforeRunId,
      key: idempotencyKeyOf(c),
    };
    const forking = forkThread(c.env, request, () => rateRefusal(c, c.env.TURN_RATE));
    // A client that is gone may not come back to have a copy finished. The cron deletes a copy that was cut off, a day later.
    return c.json({ threadId: await outliveClient(c, forking) } satisfies ForkedThread);
  });
  refuseOtherMethods(app, FORK_PATH, ["POST"]);
};

const runRefusal = (): AppError => new AppError(400, "beforeRunId: use the id of a run of this chat.");

const titleRefusal = (): AppError => new AppError(400, "title: use 1 to 200 characters.");

const listCallersThreads = limitedRead(
  async (c) => ({ after: parsePageCursor(c.req.query("cursor")), query: searchIn(c) }),
  async (c, { after, query }) => {
    if (query !== undefined) {
      const found = await findThreads(c.env, openDb(c.env.DB), c.var.caller.ownerEmail, query);
      return c.json({ threads: found, nextCursor: null });
    }
    const { views, last } = await threadPage(c.env, openDb(c.env.DB), c.var.caller.ownerEmail, {
      after: after && { updatedAtMs: after[0], threadId: after[1] },
      limit: THREADS_PER_PAGE,
    });
    return c.json({ threads: views, nextCursor: cursorOf(last) });
  },
);

/** What is searched for, undefined for the whole list. @throws {AppError} 400 when it is blank or too long. */
const searchIn = (c: Context<AppEnv>): string | undefined => {
  const query = c.req.query("q")?.trim();
  if (query === undefined) return undefined;
  if (query === "" || query.length > MAX_SEARCH_LENGTH) throw new AppError(400, "q: use 1 to 200 characters.");
  return query;
};

const listRunsOfThread = limitedRead(
  async (c) => {
    const after = parsePageCursor(c.req.query("cursor"));
    const threadId = threadIdOf(c);
    await requireThread(c, threadId);
    return { after, threadId, isNewestFirst: c.req.query("order") === "newest" };
  },
  async (c, { after, threadId, isNewestFirst }) => {
    const { views, last } = await runPage(c.env, openDb(c.env.DB), c.var.caller.ownerEmail, threadId, {
      after: after && { createdAtMs: after[0], runId: after[1] },
      limit: RUNS_PER_PAGE,
      isNewestFirst,
    });
    return c.json({ runs: views, nextCursor: cursorOf(last) });
  },
);

const cursorOf = (last: Page<unknown>["last"]): string | null =>
  last === undefined ? null : formatPageCursor(last.ms, last.id);

/** The id in the path. @throws {AppError} 404 for an id that no thread can have. */
export const threadIdOf = (c: Context<AppEnv>): ThreadId => {
  const threadId = ThreadId.safeParse(c.req.param("thread_id"));
  if (!threadId.success) throw threadNotFound();
  return threadId.data;
};

/** @throws {AppError} 404 when the caller has no such thread. */
const requireThread = async (c: Context<AppEnv>, threadId: ThreadId): Promise<void> => {
  const found = await findThreadSession(openDb(c.env.DB), c.var.caller.ownerEmail, threadId);
  if (found === undefined) throw threadNotFound();
};

/** The thread's id in the path of a change. Counts the change. @throws {AppError} 404 or 429. */
const limitedThread = async (c: Context<AppEnv>): Promise<ThreadId> => {
  const threadId = threadIdOf(c);
  await limitChange(c, () => requireThread(c, threadId));
  return threadId;
};

/** The answer for unknown threads and for other people's. */
export const threadNotFound = (): AppError => new AppError(404, "Thread not found.");
