/** Going back in a thread, and branching it (api.md §2). */
import type { Hono } from "hono";
import { AppError } from "../../contract/app-error.ts";
import { BeforeRun, type ForkedThread } from "../../contract/thread.ts";
import { forkThread } from "../../thread/fork-thread.ts";
import { rewindThread } from "../../thread/rewind-thread.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody } from "../body.ts";
import { rateRefusal } from "../rate-limit.ts";
import { guardChange, refuseOtherMethods } from "../route.ts";
import { idempotencyKeyOf } from "../start-checks.ts";
import { threadIdOf } from "./thread-routes.ts";

const REWIND_PATH = "/_framework/threads/:thread_id/rewind";

const FORK_PATH = "/_framework/threads/:thread_id/fork";

/** Mounts the routes. */
export const mountBranchRoutes = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", REWIND_PATH);
  app.post(REWIND_PATH, jsonBody(BeforeRun, runRefusal), async (c) => {
    const { ownerEmail } = c.var.caller;
    const rewinding = rewindThread(c.env, ownerEmail, threadIdOf(c), c.req.valid("json").beforeRunId);
    // It continues when the client disconnects, or the thread's place would stay taken. A failure is reported to a client that is still there.
    c.executionCtx.waitUntil(rewinding.catch(() => undefined));
    await rewinding;
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
    // A client that is gone may not come back to have a copy finished.
    c.executionCtx.waitUntil(forking.catch(() => undefined));
    return c.json({ threadId: await forking } satisfies ForkedThread);
  });
  refuseOtherMethods(app, FORK_PATH, ["POST"]);
};

const runRefusal = (): AppError => new AppError(400, "beforeRunId: use the id of a run of this chat.");
