/** Permission requests of a run: show one whole, answer it (api.md §2 and §4). And the standing rules of a thread. */
import type { Context, Hono } from "hono";
import * as z from "zod";
import { AppError } from "../../contract/app-error.ts";
import { type HarnessSessionId, RequestId } from "../../contract/ids.ts";
import {
  PermissionAnswer,
  type PermissionDecision,
  PermissionOutcome,
  PermissionSubject,
  type RuleView,
} from "../../contract/permission.ts";
import { openDb } from "../../db/db.ts";
import { findThreadSession } from "../../db/threads.ts";
import { reach } from "../../objects/reach.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody } from "../body.ts";
import { requireFreshCode, speakerOf } from "../fresh-code.ts";
import { limitChange } from "../rate-limit.ts";
import { guardChange, limitedRead, route } from "../route.ts";
import { onRun, runNotFound } from "./run-routes.ts";
import { threadIdOf, threadNotFound } from "./thread-routes.ts";

const PATH = "/_framework/runs/:run_id/permissions/:request_id";

/** Mounts `GET` and `POST` of one request. */
export const mountPermissionRoutes = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", PATH);
  app.post(PATH, jsonBody(PermissionAnswer, answerRefusal), async (c) => {
    const requestId = requestIdOf(c);
    const given = c.req.valid("json");
    await requireFreshCode(c, given, () => mayBeCommand(c, requestId));
    return c.json({ requestId, decision: await answer(c, requestId, given) });
  });
  const find = async (c: Context<AppEnv>): Promise<object> => {
    const requestId = requestIdOf(c);
    const request = await onRun(c, async (run) => await run.request(c.var.caller.ownerEmail, requestId));
    if (request === "unknown_run") throw runNotFound();
    if (request === undefined || "questions" in request) throw requestNotFound();
    return request;
  };
  const get = limitedRead(find, (_, request) => Response.json(request));
  route(app, PATH, { GET: get }, ["POST"]);
};

/** Typed here, because the call's type is too deep for the compiler: there are too many subjects. */
const SeenRequest = z.object({ subject: PermissionSubject, decision: PermissionOutcome.optional() });

/**
 * Whether an open request asks for a command. A request that cannot be parsed, such as one of another release, counts as a command. False
 * for a request that does not exist: the answer is refused then.
 */
const mayBeCommand = async (c: Context<AppEnv>, requestId: RequestId): Promise<boolean> => {
  const request: unknown = await onRun(c, async (run) => await run.request(c.var.caller.ownerEmail, requestId));
  if (request === undefined || request === "unknown_run") return false;
  const { data: seen } = SeenRequest.safeParse(request);
  return seen === undefined || (seen.decision === undefined && seen.subject.type === "command");
};

/** Passes the answer to the run. Returns the decision that counts; anything else is a refusal. */
const answer = async (
  c: Context<AppEnv>,
  requestId: RequestId,
  given: PermissionAnswer,
): Promise<PermissionDecision> => {
  const result = await onRun(
    c,
    async (run) => await run.answer(c.var.caller.ownerEmail, requestId, { ...given, ...speakerOf(c) }),
  );
  switch (result.type) {
    case "accepted":
      return result.decision;
    case "unknown_run":
      throw runNotFound();
    // Only answers to questions lead to the first two.
    case "accepted_answers":
    case "unfit":
    case "unknown_request":
      throw requestNotFound();
    case "not_offered":
      throw invalidDecision();
    case "answered":
      throw new AppError(409, "Permission request already answered.");
    case "expired":
      throw new AppError(410, "Permission request has expired.");
  }
};

const answerRefusal = (issues: readonly { readonly path: readonly PropertyKey[] }[]): AppError =>
  issues.every(({ path }) => path[0] === "message")
    ? new AppError(400, "message: use at most 4,000 characters.")
    : invalidDecision();

/** The id in the path. @throws {AppError} 404 when it is not a UUID. */
export const requestIdOf = (c: Context<AppEnv>, notFound: () => AppError = requestNotFound): RequestId => {
  const requestId = RequestId.safeParse(c.req.param("request_id"));
  if (!requestId.success) throw notFound();
  return requestId.data;
};

const requestNotFound = (): AppError => new AppError(404, "Permission request not found.");

const invalidDecision = (): AppError => new AppError(400, "Invalid decision.");

const RULES_PATH = "/_framework/threads/:thread_id/rules";

/** Mounts the routes of a thread's standing rules: list them, revoke one (api.md §2). A revoked rule no longer covers the next call. */
export const mountRuleRoutes = (app: Hono<AppEnv>): void => {
  route(app, RULES_PATH, {
    GET: limitedRead(sessionOf, async (c, sessionId) => {
      const rules =
        sessionId === null ? [] : await reach(async () => await c.env.SESSIONS.getByName(sessionId).listRules());
      return c.json({
        rules: rules.map(
          ({ ruleId, label, createdAtMs }): RuleView => ({
            ruleId,
            label,
            createdAt: new Date(createdAtMs).toISOString(),
          }),
        ),
      });
    }),
  });
  route(app, `${RULES_PATH}/:rule_id`, {
    DELETE: async (c) => {
      const sessionId = await sessionOf(c);
      const { data: ruleId } = RequestId.safeParse(c.req.param("rule_id"));
      if (sessionId === null || ruleId === undefined) throw ruleNotFound();
      const find = async (): Promise<void> => {
        const rules = await reach(async () => await c.env.SESSIONS.getByName(sessionId).listRules());
        if (!rules.some((rule) => rule.ruleId === ruleId)) throw ruleNotFound();
      };
      await limitChange(c, find);
      await find();
      // Whether this call or another one revoked it does not matter: a call whose answer was lost is repeated.
      await reach(async () => await c.env.SESSIONS.getByName(sessionId).removeRule(ruleId));
      return c.json({ ok: true });
    },
  });
};

const ruleNotFound = (): AppError => new AppError(404, "Rule not found.");

/** The thread's session; null if it has none yet. @throws {AppError} 404 when the caller has no such thread. */
const sessionOf = async (c: Context<AppEnv>): Promise<HarnessSessionId | null> => {
  const found = await findThreadSession(openDb(c.env.DB), c.var.caller.ownerEmail, threadIdOf(c));
  if (found === undefined) throw threadNotFound();
  return found.session?.sessionId ?? null;
};
