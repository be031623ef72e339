/** `POST /_framework/runs/<run_id>/messages`: says something to a run while it works (api.md §2). */
import type { Context, Hono } from "hono";
import { AppError } from "../../contract/app-error.ts";
import { MAX_RUN_MESSAGES, RunMessage, type RunMessageTaken } from "../../contract/turn.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody } from "../body.ts";
import { rateRefusal } from "../rate-limit.ts";
import { guardChange, refuseOtherMethods } from "../route.ts";
import { idempotencyKeyOf } from "../start-checks.ts";
import { onRun, runNotFound } from "./run-routes.ts";

const PATH = "/_framework/runs/:run_id/messages";

/** How soon to ask again, in seconds: the run's next messages are for another run, which may start then. */
const RETRY_AFTER_S = "60";

/** Mounts the route. */
export const mountSteerRoute = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", PATH);
  app.post(PATH, jsonBody(RunMessage, textRefusal), async (c) => c.json(await steer(c, c.req.valid("json").text)));
  refuseOtherMethods(app, PATH, ["POST"]);
};

const textRefusal = (): AppError => new AppError(400, "text: use 1 to 20,000 characters.");

/** It can cost model calls, so it counts as a turn. */
const steer = async (c: Context<AppEnv>, text: string): Promise<RunMessageTaken> => {
  const key = idempotencyKeyOf(c);
  const refusal = await rateRefusal(c, c.env.TURN_RATE);
  const message = { text, key, isOverRate: refusal !== undefined };
  const result = await onRun(c, async (run) => await run.steer(c.var.caller.ownerEmail, message));
  switch (result.type) {
    case "taken":
      return { messageId: result.messageId };
    case "unknown_run":
      throw runNotFound();
    case "ended":
      throw new AppError(409, "The run has ended.");
    case "not_taken":
      throw new AppError(
        409,
        "This agent takes no messages while it works. Send it as the next turn, or stop the run.",
      );
    case "other_text":
      throw new AppError(422, "Idempotency key was used with a different request.");
    case "over_rate":
      throw refusal ?? new Error("Only a refusal says that it is over the rate.");
    case "too_many":
      throw new AppError(429, `This run has had ${MAX_RUN_MESSAGES} messages, the limit. Send a new turn.`, {
        "Retry-After": RETRY_AFTER_S,
      });
  }
};
