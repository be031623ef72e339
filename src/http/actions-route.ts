/** The action dispatcher: each action has a path of its own, so an unknown name is an unknown route (spec §4.4). */
import type { Context, Handler, Hono } from "hono";
import type { Action, ActionContext } from "../actions/define-action.ts";
import { parseInput } from "../actions/parse-input.ts";
import { ACTIONS } from "../actions/registry.ts";
import { actionPath } from "../contract/action-path.ts";
import { createIdSource } from "../contract/id-source.ts";
import type { Db } from "../db/db.ts";
import { openReadDb, openWriteDb } from "../db/db-session.ts";
import type { AppEnv } from "./app-env.ts";
import { readJson } from "./body.ts";
import { bookmarkHeaders, readBookmark } from "./bookmark.ts";
import { readFieldTypes, readQuery } from "./query-input.ts";
import { rateRefusal } from "./rate-limit.ts";
import { route } from "./route.ts";

/** Registers every action: reads by GET and POST, writes by POST alone. */
export const mountActionRoutes = (app: Hono<AppEnv>): void => {
  for (const action of ACTIONS) {
    const post: Handler<AppEnv> = async (c) => answer(c, action, await readJson(c.req.raw));
    if (action.kind === "write") {
      route(app, actionPath(action.name), { POST: post });
    } else {
      const types = readFieldTypes(action.input);
      const get: Handler<AppEnv> = (c) => answer(c, action, readQuery(new URL(c.req.url).searchParams, types));
      route(app, actionPath(action.name), { GET: get, POST: post });
    }
  }
};

/** Runs an action for the caller; its output is the body as it is. No body at all is an input without fields. */
const answer = async (c: Context<AppEnv>, action: Action, raw: unknown = {}): Promise<Response> => {
  const input = parseInput(action.input, raw);
  const refusal = await rateRefusal(c, c.env.ACTION_RATE);
  if (refusal !== undefined) throw refusal;
  if (action.kind === "read") {
    const db = openReadDb(c.env.DB, readBookmark(c));
    return Response.json(await action.run(contextOf(c, db), input));
  }
  const { db, bookmark } = openWriteDb(c.env.DB);
  const output = await action.run(contextOf(c, db), input);
  return Response.json(output, { headers: bookmarkHeaders(c, bookmark()) });
};

/** Says that a write comes from an import: `import`, and nothing else, is heard. */
const VIA_HEADER = "X-Updated-Via";

/** An action's world behind HTTP. Whoever calls it this way is the screen; nobody can pass for the agent. */
const contextOf = (c: Context<AppEnv>, db: Db): ActionContext => ({
  db,
  caller: c.var.caller,
  via: c.req.header(VIA_HEADER) === "import" ? "import" : "screen",
  nowMs: Date.now,
  newId: createIdSource(Date.now),
});
