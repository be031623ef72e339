/**
 * `POST /api/agent/turn` (api.md §2), in the order of api.md §1: 401, then 400 for what reads as empty, then the rest. And the models that
 * a turn may choose from.
 */
import type { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "../../contract/app-error.ts";
import type { ModelList } from "../../contract/models.ts";
import { TurnStartRequest } from "../../contract/turn.ts";
import { servedDirOf } from "../../run/drive/served-workspace.ts";
import { chosenHarness } from "../../turn/harness-choice.ts";
import { listModels } from "../../turn/model-choice.ts";
import { startTurn } from "../../turn/start-turn.ts";
import type { AppEnv } from "../app-env.ts";
import { isJson, limitBodyAfter, readJsonOrNothing } from "../body.ts";
import { requireCaller, requireSignIn } from "../caller.ts";
import { assertSameSite } from "../cross-site.ts";
import { speakerOf } from "../fresh-code.ts";
import { outliveClient } from "../outlive-client.ts";
import { limitFloods, rateRefusal } from "../rate-limit.ts";
import { assertLiveLogin, refuseOtherMethods, route } from "../route.ts";
import { idempotencyKeyOf, pausedRefusal } from "../start-checks.ts";

const PATH = "/api/agent/turn";

/** Text of the 400 (api.md §1). */
const REQUIRED = "threadId and prompt are required.";

/** Checks what is known before the body is read. A body of another type counts as empty, however large it is (api.md §1). */
const checkUnread = (request: Request): void => {
  if (!isJson(request)) throw new AppError(400, REQUIRED);
  assertSameSite(request);
};

export const mountTurnRoute = (app: Hono<AppEnv>): void => {
  app.post(
    PATH,
    requireSignIn,
    requireCaller,
    limitFloods,
    tellRevokedFirst,
    limitBodyAfter(checkUnread),
    async (c) => {
      const body = isJson(c.req.raw) ? await readJsonOrNothing(c.req.raw) : undefined;
      const asked = TurnStartRequest.parse(body);
      if (asked.threadId === "" || asked.prompt === "") throw new AppError(400, REQUIRED);
      assertSameSite(c.req.raw);
      const request = { ...asked, idempotencyKey: idempotencyKeyOf(c), ...speakerOf(c) };
      const refuse = async () => pausedRefusal(c.env) ?? (await rateRefusal(c, c.env.TURN_RATE));
      // If it were cut off, the row of a run that never had its prompt would be left.
      const answer = await outliveClient(c, startTurn(c.env, c.var.caller, request, refuse));
      c.set("startedRunId", answer.runId);
      return c.json(answer);
    },
  );
  refuseOtherMethods(app, PATH, ["POST"]);
};

/**
 * A turn start checks the log-in's row in its own batch. A refusal before that costs a separate query here, so that a revoked
 * log-in gets 401 and nothing else (api.md §1). A refusal over the rate limit is exempt: it must cost nothing.
 */
const tellRevokedFirst = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.error instanceof AppError && ![401, 429, 503].includes(c.error.status)) await assertLiveLogin(c);
});

export const mountModelsRoute = (app: Hono<AppEnv>): void => {
  route(app, "/_framework/models", {
    GET: async (c) => {
      const models = await listModels(c.env, Date.now());
      const harness = chosenHarness(c.env);
      const workspaceDir = servedDirOf(c.env, c.var.caller.ownerEmail);
      const answer: ModelList = {
        models,
        ...(harness !== "anthropic" && { harness }),
        ...(workspaceDir !== undefined && { workspaceDir }),
      };
      return c.json(answer);
    },
  });
};
