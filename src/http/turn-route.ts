/** `POST /api/agent/turn` (spec §4.1). Spec 7 comes first here: 401, then 400 for what reads as empty, then the rest. */
import type { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "../contract/app-error.ts";
import { TurnStartRequest } from "../contract/turn.ts";
import { startTurn } from "../turn/start-turn.ts";
import type { AppEnv } from "./app-env.ts";
import { isJson, limitBodyAfter, readJsonOrNothing } from "./body.ts";
import { requireCaller, requireSignIn } from "./caller.ts";
import { assertSameSite } from "./cross-site.ts";
import { assertLiveLogin } from "./live-login.ts";
import { pausedRefusal } from "./paused.ts";
import { rateRefusal } from "./rate-limit.ts";
import { refuseOtherMethods } from "./route.ts";

const PATH = "/api/agent/turn";

/** Text of the 400 (spec §7). */
const REQUIRED = "threadId and prompt are required.";

/** Longest `Idempotency-Key`, in characters. */
const MAX_KEY_LENGTH = 255;

/** Mounts the turn start. */
export const mountTurnRoute = (app: Hono<AppEnv>): void => {
  app.post(PATH, requireSignIn, requireCaller, tellRevokedFirst, limitBodyAfter(assertSameSite), async (c) => {
    const body = isJson(c.req.raw) ? await readJsonOrNothing(c.req.raw) : undefined;
    const { threadId, prompt, model, effort } = TurnStartRequest.parse(body);
    if (threadId === "" || prompt === "") throw new AppError(400, REQUIRED);
    assertSameSite(c.req.raw);
    const idempotencyKey = c.req.header("Idempotency-Key");
    if (idempotencyKey !== undefined && !isKey(idempotencyKey)) {
      throw new AppError(400, "Idempotency-Key: use 1 to 255 characters.");
    }
    const request = { threadId, prompt, model, effort, idempotencyKey };
    const answer = await startTurn(
      c.env,
      c.var.caller,
      request,
      async () => pausedRefusal(c.env) ?? (await rateRefusal(c, c.env.TURN_RATE)),
    );
    c.set("startedRunId", answer.runId);
    return c.json(answer);
  });
  refuseOtherMethods(app, PATH, ["POST"]);
};

/**
 * A start looks at the log-in's row in its own batch. What is refused before that costs a query of its own here, so that a
 * revoked log-in is told 401 and nothing else (spec §7). A refusal that ends a flood does not: it must cost nothing.
 */
const tellRevokedFirst = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.error instanceof AppError && ![401, 429, 503].includes(c.error.status)) await assertLiveLogin(c);
});

const isKey = (key: string): boolean => key.length >= 1 && key.length <= MAX_KEY_LENGTH;
