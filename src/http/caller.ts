/**
 * Who is calling: the check before every route except health, sign-in, the unsubscribe link and pages, and the development identity of
 * api.md §1.
 */

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { logNamesNobody, namesNobody } from "../auth/allowed-emails.ts";
import { findAuthSecret, logMissingSecret } from "../auth/auth-secret.ts";
import { findLogin } from "../auth/find-login.ts";
import { signInFirst, unavailable } from "../contract/app-error.ts";
import { type Caller, OwnerEmail } from "../contract/ids.ts";
import { isLoopbackUrl } from "../contract/local/loopback.ts";
import { log } from "../contract/log.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import type { AppEnv } from "./app-env.ts";
import { assertAddressRate } from "./rate-limit.ts";

/**
 * Refuses with 401 unless somebody is signed in; puts the caller in `c.var.caller`. A look-up of the log-in in D1 counts against the
 * limit of the address: otherwise somebody whose log-in is gone could cause one with each request, without end.
 */
export const requireCaller = createMiddleware<AppEnv>(async (c, next) => {
  const cookies: string[] = [];
  const caller = await resolveCaller(c, (cookie) => cookies.push(cookie));
  if (caller === undefined) throw signInFirst();
  c.set("caller", caller);
  await next();
  // A cookie that the response sets takes precedence: it may have ended the log-in that these cookies would renew.
  const said = new Set(c.res.headers.getSetCookie().map(nameOf));
  for (const cookie of cookies) {
    if (!said.has(nameOf(cookie))) c.header("Set-Cookie", cookie, { append: true });
  }
});

const nameOf = (cookie: string): string => cookie.slice(0, cookie.indexOf("="));

/**
 * Refuses with 503, and logs which setting is missing, when nobody could ever be signed in: a 401 would send a person to a
 * sign-in that cannot work.
 */
export const requireSignIn = createMiddleware<AppEnv>(async (c, next) => {
  const isOff = isAuthDisabled(c.env) && isLoopbackUrl(c.req.url);
  const problem =
    findAuthSecret(c.env) === undefined ? logMissingSecret : namesNobody(c.env) ? logNamesNobody : undefined;
  if (!isOff && problem !== undefined) {
    problem();
    throw unavailable();
  }
  await next();
});

/** The signed-in person, otherwise the development identity. Cookies passed to `setCookie` are sent with the response. */
const resolveCaller = async (c: Context<AppEnv>, setCookie: (cookie: string) => void): Promise<Caller | undefined> => {
  const login = await findLogin(c.req.raw, c.env, () => assertAddressRate(c));
  if (login === undefined) return resolveDevelopmentCaller(c.req.raw, c.env);
  for (const cookie of login.setCookies) setCookie(cookie);
  return login.caller;
};

/**
 * The fallback identity while `AUTH_DISABLED` is set (api.md §1). For loopback requests only: a deployed Worker, or a host name
 * that was made to resolve to this machine, gets no identity.
 */
export const resolveDevelopmentCaller = (request: Request, env: Pick<Env, "AUTH_DISABLED">): Caller | undefined => {
  if (!isAuthDisabled(env)) return undefined;
  if (isLoopbackUrl(request.url)) return { ownerEmail: OwnerEmail.parse("dev@local.test"), orgId: null };
  const { hostname } = new URL(request.url);
  log.warn("AUTH_DISABLED is ignored: not a loopback host.", { hostname });
  return undefined;
};

/** Whether the variable is set; it has no effect off loopback. */
export const isAuthDisabled = (env: Pick<Env, "AUTH_DISABLED">): boolean => parseSettings(env).AUTH_DISABLED;
