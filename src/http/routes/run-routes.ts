/**
 * The run routes: state, events, prompt, abort, messages while it works (api.md §2 and §3), and undo (api.md §10). The run's object checks
 * the owner.
 */
import type { Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError, errorCode, otherRequest, unavailable } from "../../contract/app-error.ts";
import { describeProblems } from "../../contract/describe-problems.ts";
import { RunId } from "../../contract/ids.ts";
import { changedTooMuch } from "../../contract/stocks/day-limit.ts";
import { MAX_RUN_MESSAGES, RunMessage, type RunMessageTaken } from "../../contract/turn.ts";
import { UndoRequest } from "../../contract/undo/undo.ts";
import { reach } from "../../objects/reach.ts";
import type { RunRpc } from "../../run/run-rpc.ts";
import {
  COMES_BACK_HEADER,
  CURSOR_HEADER,
  LOGIN_HEADER,
  OWNER_HEADER,
  UNSEEN_HEADER,
} from "../../run/stream/event-response.ts";
import { parseCursor } from "../../run/stream/sse.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody, readJson } from "../body.ts";
import { bookmarkHeaders } from "../bookmark.ts";
import { speakerOf } from "../fresh-code.ts";
import { rateRefusal, readRefusal } from "../rate-limit.ts";
import { guardChange, limitedRead, refuseOtherMethods, route } from "../route.ts";
import { idempotencyKeyOf } from "../start-checks.ts";

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
  route(app, `${RUN_PATH}/events`, { GET: { handler: streamEvents } });
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
  // Over the limit, the stream is opened only to find out whether there is one: 429 comes last (api.md §1).
  const refusal = await readRefusal(c);
  const headers = {
    [OWNER_HEADER]: ownerEmail,
    [CURSOR_HEADER]: String(cursor),
    [COMES_BACK_HEADER]: c.req.header(COMES_BACK_HEADER) ?? "",
    ...login,
    ...(refusal && { [UNSEEN_HEADER]: "true" }),
  };
  const { signal } = c.req.raw;
  const answer = await onRun(c, (run) => run.fetch("http://run/events", { headers, signal }));
  switch (answer.status) {
    case 404:
      throw runNotFound();
    case 410:
      throw new AppError(410, "Run events have expired.");
    case 503:
      throw unavailable(5);
    default:
      if (refusal === undefined) return new Response(answer.body, answer);
      await answer.body?.cancel();
      throw refusal;
  }
};

const found = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw runNotFound();
  return value;
};

const MESSAGES_PATH = `${RUN_PATH}/messages`;

/** Mounts the route that says something to a run while it works. */
export const mountSteerRoute = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", MESSAGES_PATH);
  app.post(MESSAGES_PATH, jsonBody(RunMessage, textRefusal), async (c) =>
    c.json(await steer(c, c.req.valid("json").text)),
  );
  refuseOtherMethods(app, MESSAGES_PATH, ["POST"]);
};

const textRefusal = (): AppError => new AppError(400, "text: use 1 to 20,000 characters.");

/** A message can cost model calls, so it counts as a turn. */
const steer = async (c: Context<AppEnv>, text: string): Promise<RunMessageTaken> => {
  // The object may be called twice (`reach`), which must not store the message twice.
  const key = idempotencyKeyOf(c) ?? crypto.randomUUID();
  const refusal = await rateRefusal(c, c.env.TURN_RATE);
  const message = { text, key, isOverRate: refusal !== undefined, ...speakerOf(c) };
  const result = await onRun(c, async (run) => await run.steer(c.var.caller.ownerEmail, message));
  switch (result.type) {
    case "taken":
      return { messageId: result.messageId };
    case "unknown_run":
      throw runNotFound();
    case "ended":
      throw new AppError(409, "The run has ended.", errorCode("run_ended"));
    case "not_taken":
      throw new AppError(
        409,
        "This agent takes no messages while it works. Send it as the next turn, or stop the run.",
      );
    case "other_text":
      throw otherRequest();
    case "over_rate":
      throw refusal ?? new Error("Only a refusal says that it is over the rate.");
    case "too_many":
      throw new AppError(
        429,
        `This run has had ${MAX_RUN_MESSAGES} messages, the limit. Send a new turn.`,
        errorCode("too_many_messages"),
      );
  }
};

/** Mounts the route that undoes what a run changed. */
export const mountUndoRoute = (app: Hono<AppEnv>): void => {
  route(app, `${RUN_PATH}/undo`, {
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
        case "day_full":
          throw changedTooMuch(Date.now());
        case "answered":
          return c.json(result.answer, 200, bookmarkHeaders(c, result.bookmark));
      }
    },
  });
};
