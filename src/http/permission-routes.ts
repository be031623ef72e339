/** Permission requests of a run: look at one whole, answer it (CONTRACT §2 and §4). */
import type { Context, Hono } from "hono";
import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { RequestId } from "../contract/ids.ts";
import { PermissionAnswer, type PermissionDecision, PermissionSubject } from "../contract/permission.ts";
import type { AppEnv } from "./app-env.ts";
import { requireFreshCode } from "./fresh-code.ts";
import { jsonBody } from "./json-body.ts";
import { guardChange, route } from "./route.ts";
import { onRun, runNotFound } from "./run-routes.ts";

const PATH = "/_framework/runs/:run_id/permissions/:request_id";

/** Mounts `GET` and `POST` of one request. */
export const mountPermissionRoutes = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", PATH);
  app.post(PATH, jsonBody(PermissionAnswer, answerRefusal), async (c) => {
    const requestId = requestIdOf(c);
    const given = c.req.valid("json");
    await requireFreshCode(c, given, () => openSubject(c, requestId));
    return c.json({ requestId, decision: await answer(c, requestId, given) });
  });
  const get = async (c: Context<AppEnv>): Promise<Response> => {
    const requestId = requestIdOf(c);
    const request = await onRun(c, async (run) => await run.request(c.var.caller.ownerEmail, requestId));
    if (request === "unknown_run") throw runNotFound();
    if (request === undefined) throw requestNotFound();
    return c.json(request);
  };
  route(app, PATH, { GET: get }, ["POST"]);
};

/** Its type does not come through the call: the subjects are too many. */
const OpenRequest = z.object({ subject: PermissionSubject, decision: z.undefined().optional() });

/** What an open request is about; whatever else there is, the answer itself finds out. */
const openSubject = async (c: Context<AppEnv>, requestId: RequestId): Promise<PermissionSubject | undefined> => {
  const request: unknown = await onRun(c, async (run) => await run.request(c.var.caller.ownerEmail, requestId));
  return OpenRequest.safeParse(request).data?.subject;
};

/** Hands the answer to the run. Gives the decision that counts; anything else is a refusal. */
const answer = async (
  c: Context<AppEnv>,
  requestId: RequestId,
  given: PermissionAnswer,
): Promise<PermissionDecision> => {
  const result = await onRun(c, async (run) => await run.answer(c.var.caller.ownerEmail, requestId, given));
  switch (result.type) {
    case "accepted":
      return result.decision;
    case "unknown_run":
      throw runNotFound();
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

/** The id in the path. @throws {AppError} 404 when it is no UUID. */
const requestIdOf = (c: Context<AppEnv>): RequestId => {
  const requestId = RequestId.safeParse(c.req.param("request_id"));
  if (!requestId.success) throw requestNotFound();
  return requestId.data;
};

const requestNotFound = (): AppError => new AppError(404, "Permission request not found.");

const invalidDecision = (): AppError => new AppError(400, "Invalid decision.");
