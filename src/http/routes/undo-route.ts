/** Undoing what a run changed (api.md §10). The run's object checks the owner. */
import type { Hono } from "hono";
import { AppError } from "../../contract/app-error.ts";
import { describeProblems } from "../../contract/describe-problems.ts";
import { UndoRequest } from "../../contract/undo/undo.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson } from "../body.ts";
import { bookmarkHeaders } from "../bookmark.ts";
import { rateRefusal } from "../rate-limit.ts";
import { route } from "../route.ts";
import { onRun, runNotFound } from "./run-routes.ts";

/** Mounts the route. */
export const mountUndoRoute = (app: Hono<AppEnv>): void => {
  route(app, "/_framework/runs/:run_id/undo", {
    POST: async (c) => {
      const parsed = UndoRequest.safeParse(await readJson(c.req.raw));
      if (!parsed.success) throw new AppError(400, describeProblems(parsed.error.issues, "body"));
      const overLimit = await rateRefusal(c, c.env.ACTION_RATE);
      const ask = { ...parsed.data, isOverLimit: overLimit !== undefined };
      const result = await onRun(c, async (run) => await run.undo(c.var.caller.ownerEmail, ask));
      switch (result.type) {
        case "unknown_run":
          throw runNotFound();
        case "live":
          throw new AppError(409, "The run has not ended.");
        case "expired":
          throw new AppError(410, "What this run changed can no longer be undone.");
        case "ready":
          throw overLimit ?? runNotFound();
        case "answered":
          return c.json(result.answer, 200, bookmarkHeaders(c, result.bookmark));
      }
    },
  });
};
