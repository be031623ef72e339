/** One path, its methods, and the checks of CONTRACT §1 in their order: 405, cross-site 403, 401, 413, 415. Reads of one person are limited there as well. */
import type { Handler, Hono } from "hono";
import { AppError } from "../contract/app-error.ts";
import type { AppEnv } from "./app-env.ts";
import { limitBody, requireJson } from "./body.ts";
import { requireCaller } from "./caller.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { requireLiveLogin } from "./live-login.ts";
import { limitReads } from "./rate-limit.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Handlers by method. Each runs behind all checks. */
type Methods = Partial<Record<Method, Handler<AppEnv>>>;

/**
 * Registers a path's methods; any other method answers 405 with `Allow`, before a single id is looked at. HEAD is
 * answered as GET without a body, as Hono does. `registered`: methods that have their handler on the app already.
 */
export const route = (app: Hono<AppEnv>, path: string, methods: Methods, registered: readonly Method[] = []): void => {
  for (const [method, handler] of Object.entries(methods)) {
    if (method === "GET") app.get(path, requireCaller, limitReads, handler);
    else app.on(method, path, refuseCrossSite, requireCaller, requireLiveLogin, limitBody, requireJson, handler);
  }
  refuseOtherMethods(app, path, [...Object.keys(methods), ...registered]);
};

/** Puts the checks of a state-changing method before handlers that a route registers itself, to have its body typed. */
export const guardChange = (app: Hono<AppEnv>, method: Exclude<Method, "GET">, path: string): void => {
  app.on(method, path, refuseCrossSite, requireCaller, requireLiveLogin, limitBody, requireJson);
};

/** Answers 405 for every method of a path that has no handler registered before this call. */
export const refuseOtherMethods = (app: Hono<AppEnv>, path: string, allowed: readonly string[]): void => {
  app.all(path, () => {
    throw new AppError(405, "Method not allowed.", { Allow: allowed.join(", ") });
  });
};
