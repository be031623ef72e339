/** The run routes: state, events, prompt, abort (api.md §2 and §3). The run's object checks the owner. */
import type { Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "../../contract/app-error.ts";
import { RunId } from "../../contract/ids.ts";
import { reach } from "../../objects/reach.ts";
import type { RunRpc } from "../../run/run-rpc.ts";
import { CURSOR_HEADER, LOGIN_HEADER, OWNER_HEADER } from "../../run/stream/event-response.ts";
import { parseCursor } from "../../run/stream/sse.ts";
import type { AppEnv } from "../app-env.ts";
import { limitedRead, route } from "../route.ts";

const RUN_PATH = "/_framework/runs/:run_id";

/** The answer for unknown ids, for other people's runs, and for ids that are not UUIDs. */
export const runNotFound = (): AppError => new AppError(404, "Run not found.");

/** Mounts the run routes. */
export const mountRunRoutes = (app: Hono<AppEnv>): void => {
  route(app, RUN_PATH, {
    GET: limitedRead(
      async (c) => found(await onRun(c, async (run) => await run.view(c.var.caller.ownerEmail))),
      (c, view) => c.json(view),
    ),
  });
  app.get(`${RUN_PATH}/events`, refuseHead);
  route(app, `${RUN_PATH}/events`, {
    GET: limitedRead(
      streamEvents,
      (_, stream) => stream,
      (stream) => stream.body?.cancel(),
    ),
  });
  route(app, `${RUN_PATH}/prompt`, {
    GET: limitedRead(
      async (c) => found(await onRun(c, async (run) => await run.prompt(c.var.caller.ownerEmail))),
      (c, prompt) => c.json({ prompt }),
    ),
  });
  route(app, `${RUN_PATH}/abort`, {
    POST: async (c) => {
      const status = found(await onRun(c, async (run) => await run.abort(c.var.caller.ownerEmail)));
      return c.json({ ok: true, runId: c.req.param("run_id"), status });
    },
  });
};

/** Calls the object of the run in the path. @throws {AppError} 404 when the id is not a UUID. */
export const onRun = <Result>(
  c: Context<AppEnv>,
  call: (run: DurableObjectStub<RunRpc>) => Promise<Result>,
): Promise<Result> => {
  const runId = RunId.safeParse(c.req.param("run_id"));
  if (!runId.success) throw runNotFound();
  return reach(() => call(c.env.RUNS.getByName(runId.data)));
};

/** A HEAD would open a stream only to drop it (api.md §2). Hono treats it like a GET. */
const refuseHead = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.raw.method === "HEAD") throw new AppError(405, "Method not allowed.", { Allow: "GET" });
  await next();
});

const streamEvents = async (c: Context<AppEnv>): Promise<Response> => {
  const cursor = parseCursor(c.req.header("Last-Event-ID") ?? null, c.req.query("after") ?? null);
  const { ownerEmail, loginId } = c.var.caller;
  const login = loginId === undefined ? {} : { [LOGIN_HEADER]: loginId };
  const headers = { [OWNER_HEADER]: ownerEmail, [CURSOR_HEADER]: String(cursor), ...login };
  const { signal } = c.req.raw;
  const answer = await onRun(c, (run) => run.fetch("http://run/events", { headers, signal }));
  switch (answer.status) {
    case 404:
      throw runNotFound();
    case 410:
      throw new AppError(410, "Run events have expired.");
    case 503:
      throw new AppError(503, "The agent is unavailable. Try again.", { "Retry-After": "5" });
    default:
      return new Response(answer.body, answer);
  }
};

const found = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw runNotFound();
  return value;
};
