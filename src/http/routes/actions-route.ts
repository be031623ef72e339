/** The action dispatcher: each action has its own path, so an unknown name is an unknown route (api.md §5). */
import type { Context, Handler, Hono } from "hono";
import * as z from "zod";
import { type Action, type ActionContext, parseInput } from "../../actions/define-action.ts";
import { loadAction, SERVED, type Served } from "../../actions/served.ts";
import { actionPath } from "../../contract/action-path.ts";
import { AppError } from "../../contract/app-error.ts";
import { createIdSource } from "../../contract/ids.ts";
import { cutText } from "../../contract/plain-text.ts";
import type { Db } from "../../db/db.ts";
import { openReadDb, openRefusingDb, openWriteDb } from "../../db/db.ts";
import { openPrices } from "../../quotes/prices.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson } from "../body.ts";
import { bookmarkHeaders, readBookmark } from "../bookmark.ts";
import { rateRefusal, readRefusal } from "../rate-limit.ts";
import { route } from "../route.ts";

/** The JSON types of an input's fields, by name. They come from the schema, so that nothing has to be declared again for GET. */
type FieldTypes = ReadonlyMap<string, string>;

const known = new WeakMap<z.ZodType, FieldTypes>();

/** The field types of an action's input, computed with its first query string, so that the Worker starts without that work. */
const fieldTypesOf = (input: z.ZodType): FieldTypes => {
  const types = known.get(input) ?? readFieldTypes(input);
  known.set(input, types);
  return types;
};

const readFieldTypes = (input: z.ZodType): FieldTypes => {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  return new Map(
    Object.entries(properties).map(([name, field]) => [name, typeof field === "object" ? String(field.type) : ""]),
  );
};

/**
 * A query string as an action's input: numbers and booleans are written as text, lists as repeated keys (api.md §2). Text that
 * does not have its field's type stays text, and unknown keys are kept, so that the schema refuses them by name.
 * @throws {AppError} 400 for a repeated key that is not a list.
 */
const readQuery = (query: URLSearchParams, types: FieldTypes): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const texts = query.getAll(name);
      const type = types.get(name);
      if (type === "array") return [name, texts];
      const [text = "", ...others] = texts;
      if (others.length > 0) throw new AppError(400, `${cutText(name, 64)}: give it once`);
      return [name, readText(text, type)];
    }),
  );

const readText = (text: string, type: string | undefined): unknown => {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  return text;
};

/** Registers every action: by POST, and also by GET if it is a read that costs nothing elsewhere. */
export const mountActionRoutes = (app: Hono<AppEnv>): void => {
  for (const [name, served] of Object.entries<Served>(SERVED)) {
    const post: Handler<AppEnv> = async (c) => answer(c, await loadAction(name), await readJson(c.req.raw));
    if (served.kind === "write" || served.isPostOnly) {
      route(app, actionPath(name), { POST: post });
    } else {
      const get: Handler<AppEnv> = async (c) => {
        const action = await loadAction(name);
        return await answer(
          c,
          action,
          readQuery(new URL(c.req.url).searchParams, fieldTypesOf(action.input)),
          readRefusal,
        );
      };
      route(app, actionPath(name), { GET: { handler: get }, POST: post });
    }
  }
};

/** Runs an action for the caller; its output is the response's body. A request without a body counts as an input without fields. */
const answer = async (
  c: Context<AppEnv>,
  action: Action,
  raw: unknown = {},
  refuse?: typeof readRefusal,
): Promise<Response> => {
  const input = parseInput(action.input, raw);
  const refusal = (await refuse?.(c)) ?? (await rateRefusal(c, c.env.ACTION_RATE));
  if (refusal !== undefined) return await answerOverLimit(c, action, input, refusal);
  if (action.kind === "read") {
    const db = openReadDb(c.env.DB, readBookmark(c));
    return Response.json(await action.run(contextOf(c, db), input));
  }
  const { db, bookmark } = openWriteDb(c.env.DB);
  const output = await action.run(contextOf(c, db), input);
  return Response.json(output, { headers: bookmarkHeaders(c, bookmark()) });
};

/**
 * Answers a call over the rate limit: with what is stored under its key; otherwise with the refusal that it would get anyway;
 * otherwise with the 429. The action runs on a database that takes no writes, and no reads either unless stored data can make
 * the action refuse. It waits for no price source.
 */
const answerOverLimit = async (
  c: Context<AppEnv>,
  action: Action,
  input: unknown,
  overLimit: AppError,
): Promise<Response> => {
  const db = openRefusingDb(c.env.DB, action.refusesByData === true, overLimit);
  const ctx = contextOf(c, db);
  const refuse = () => Promise.reject(overLimit);
  const prices = { ...ctx.prices, search: refuse, refresh: refuse, fetchHistory: refuse };
  const [ran] = await Promise.allSettled([action.run({ ...ctx, prices, overLimit }, input)]);
  if (ran.status === "rejected") throw ran.reason instanceof AppError ? ran.reason : overLimit;
  if (action.kind === "read") throw overLimit;
  return Response.json(ran.value);
};

/** Marks a write as coming from an import; any value other than `import` is ignored. */
const VIA_HEADER = "X-Updated-Via";

/** The context of an action called over HTTP. Such a caller counts as the screen; nobody can pose as the agent. */
const contextOf = (c: Context<AppEnv>, db: Db): ActionContext => ({
  db,
  caller: c.var.caller,
  via: c.req.header(VIA_HEADER) === "import" ? "import" : "screen",
  prices: openPrices(c.env, c.var.caller, Date.now, (work) => c.executionCtx.waitUntil(work)),
  nowMs: Date.now,
  newId: createIdSource(Date.now),
});
