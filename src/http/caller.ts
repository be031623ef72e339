/** Who calls: the check before every route but health and sign-in, and the development identity of spec §5.3. */
import { createMiddleware } from "hono/factory";
import { findAuthSecret, logMissingSecret } from "../auth/auth-secret.ts";
import { findLogin } from "../auth/find-login.ts";
import { AppError } from "../contract/app-error.ts";
import type { Caller } from "../contract/caller.ts";
import { OwnerEmail } from "../contract/ids.ts";
import { signInFirst } from "../contract/sign-in-first.ts";
import { type Env, parseSettings } from "../env.ts";
import type { AppEnv } from "./app-env.ts";
import { isLoopback } from "./loopback.ts";

/** Text of the 503 where nobody can sign in (CONTRACT §1). */
const UNAVAILABLE = "The agent is unavailable. Try again.";

/** Refuses with 401 unless somebody is signed in; leaves the caller in `c.var.caller`. */
export const requireCaller = createMiddleware<AppEnv>(async (c, next) => {
  const cookies: string[] = [];
  const caller = await resolveCaller(c.req.raw, c.env, (cookie) => cookies.push(cookie));
  if (caller === undefined) throw signInFirst();
  c.set("caller", caller);
  await next();
  // What the answer says of a cookie is the last word: it may have ended the log-in that these renew.
  const said = new Set(c.res.headers.getSetCookie().map(nameOf));
  for (const cookie of cookies) {
    if (!said.has(nameOf(cookie))) c.header("Set-Cookie", cookie, { append: true });
  }
});

const nameOf = (cookie: string): string => cookie.slice(0, cookie.indexOf("="));

/**
 * Refuses with 503, and says in the log what to set, where nobody could ever be signed in: a 401 would send a person to a
 * sign-in that cannot work.
 */
export const requireSignIn = createMiddleware<AppEnv>(async (c, next) => {
  const isOff = isAuthDisabled(c.env) && isLoopback(c.req.url);
  if (!isOff && findAuthSecret(c.env) === undefined) {
    logMissingSecret();
    throw new AppError(503, UNAVAILABLE);
  }
  await next();
});

/** The person who is signed in, else the development identity. What it gives to `setCookie` is sent with the answer. */
const resolveCaller = async (
  request: Request,
  env: Env,
  setCookie: (cookie: string) => void,
): Promise<Caller | undefined> => {
  const login = await findLogin(request, env);
  if (login === undefined) return resolveDevelopmentCaller(request, env);
  for (const cookie of login.setCookies) setCookie(cookie);
  return login.caller;
};

/**
 * The fallback identity while `AUTH_DISABLED` is set (spec §5.3). Loopback requests only: a deployed Worker, or a name
 * that was made to point at this machine, gets nobody.
 */
export const resolveDevelopmentCaller = (request: Request, env: Pick<Env, "AUTH_DISABLED">): Caller | undefined => {
  if (!isAuthDisabled(env)) return undefined;
  if (isLoopback(request.url)) return { ownerEmail: OwnerEmail.parse("dev@local.test"), orgId: null };
  const { hostname } = new URL(request.url);
  console.warn(JSON.stringify({ level: "warn", message: "AUTH_DISABLED is ignored: not a loopback host.", hostname }));
  return undefined;
};

/** Whether the variable is set; it has no effect off loopback. */
export const isAuthDisabled = (env: Pick<Env, "AUTH_DISABLED">): boolean => parseSettings(env).AUTH_DISABLED;
