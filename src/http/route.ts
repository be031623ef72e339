/**
 * One path, its methods, and the checks of api.md §1 in order: 405, cross-site 403, 401, 413, 415. A caller's reads are rate-limited here
 * as well, and floods of changes before their log-in is looked up.
 */
import type { Context, Handler, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError, signInFirst } from "../contract/app-error.ts";
import { openDb } from "../db/db.ts";
import { findLiveLogins } from "../db/logins.ts";
import type { AppEnv } from "./app-env.ts";
import { limitBody, requireJson } from "./body.ts";
import { requireCaller } from "./caller.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { limitFloods, limitReads, readRefusal } from "./rate-limit.ts";

/**
 * Checks the log-in in D1 before a change; only reads trust its cookie for a while.
 *
 * @throws {AppError} 401 when the caller's log-in was revoked.
 */
export const assertLiveLogin = async (c: Context<AppEnv>): Promise<void> => {
  const { loginId } = c.var.caller;
  if (loginId === undefined) return;
  const live = await findLiveLogins(openDb(c.env.DB), [loginId], Date.now());
  if (!live.has(loginId)) throw signInFirst();
};

/** The same as middleware, after `requireCaller`. */
const requireLiveLogin = createMiddleware<AppEnv>(async (c, next) => {
  await assertLiveLogin(c);
  await next();
});

/** If a body takes longer, in ms, the log-in is checked again: somebody could hold a body back until after the log-in was revoked. */
const MAX_CHECK_AGE_MS = 1_000;

const limitBodyOfLogin = createMiddleware<AppEnv>(async (c, next) => {
  const checkedAtMs = Date.now();
  return await limitBody(c, async () => {
    if (Date.now() - checkedAtMs > MAX_CHECK_AGE_MS) await assertLiveLogin(c);
    await next();
  });
});

/** What precedes the handler of a change. */
const CHANGE_CHECKS = [
  refuseCrossSite,
  requireCaller,
  limitFloods,
  requireLiveLogin,
  limitBodyOfLogin,
  requireJson,
] as const;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Handlers by method. Each runs after all checks; a read without refusals of its own runs after the rate limit of reads too. */
type Methods = Partial<Record<Exclude<Method, "GET">, Handler<AppEnv>>> & {
  readonly GET?: Handler<AppEnv> | LimitedRead;
};

/** A read that checks the rate limit itself. */
type LimitedRead = { readonly handler: Handler<AppEnv> };

/**
 * A read that can refuse: `find` refuses or returns what `answer` makes the response from. The rate limit is checked between
 * them, since 429 comes last (api.md §1).
 */
export const limitedRead = <Found>(
  find: (c: Context<AppEnv>) => Promise<Found>,
  answer: (c: Context<AppEnv>, found: Found) => Response | Promise<Response>,
): LimitedRead => ({
  handler: async (c) => {
    const found = await find(c);
    const refusal = await readRefusal(c);
    if (refusal !== undefined) throw refusal;
    return await answer(c, found);
  },
});

/**
 * Registers a path's methods; any other method answers 405 with `Allow`, before any id is looked at. HEAD is answered like GET
 * without a body, as Hono does it. `registered`: methods that already have their handler on the app.
 */
export const route = (app: Hono<AppEnv>, path: string, methods: Methods, registered: readonly Method[] = []): void => {
  for (const [method, handler] of Object.entries(methods)) {
    if (typeof handler === "object") app.get(path, requireCaller, handler.handler);
    else if (method === "GET") app.get(path, requireCaller, limitReads, handler);
    else app.on(method, path, ...CHANGE_CHECKS, handler);
  }
  refuseOtherMethods(app, path, [...Object.keys(methods), ...registered]);
};

/** Adds the checks of a state-changing method before handlers that a route registers itself, to have its body typed. */
export const guardChange = (app: Hono<AppEnv>, method: Exclude<Method, "GET">, path: string): void => {
  app.on(method, path, ...CHANGE_CHECKS);
};

/** Answers 405 for every method of a path that has no handler registered before this call. */
export const refuseOtherMethods = (app: Hono<AppEnv>, path: string, allowed: readonly string[]): void => {
  app.all(path, () => {
    throw new AppError(405, "Method not allowed.", { Allow: allowed.join(", ") });
  });
};
