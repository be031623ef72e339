/** Who calls: the check before every route but health, and the development identity of spec §5.3. */
import { createMiddleware } from "hono/factory";
import { AppError } from "../contract/app-error.ts";
import type { Caller } from "../contract/caller.ts";
import { OwnerEmail } from "../contract/ids.ts";
import { type Env, parseSettings } from "../env.ts";
import type { AppEnv } from "./app-env.ts";

/** Text of every 401 (spec §7). */
const SIGN_IN = "Sign in to run the agent.";

/** Host names that only this machine answers to. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Refuses with 401 unless somebody is signed in; leaves the caller in `c.var.caller`. */
export const requireCaller = createMiddleware<AppEnv>(async (c, next) => {
  const caller = await c.var.resolveCaller(c.req.raw, c.env);
  if (caller === undefined) throw new AppError(401, SIGN_IN);
  c.set("caller", caller);
  await next();
});

/**
 * The fallback identity while `AUTH_DISABLED` is set (spec §5.3). Loopback requests only: a deployed Worker, or a name
 * that was made to point at this machine, gets nobody.
 */
export const resolveDevelopmentCaller = (request: Request, env: Pick<Env, "AUTH_DISABLED">): Caller | undefined => {
  if (!isAuthDisabled(env)) return undefined;
  const { hostname } = new URL(request.url);
  if (LOOPBACK_HOSTS.has(hostname)) return { ownerEmail: OwnerEmail.parse("dev@local.test"), orgId: null };
  console.warn(JSON.stringify({ level: "warn", message: "AUTH_DISABLED is ignored: not a loopback host.", hostname }));
  return undefined;
};

/** Whether the variable is set; it has no effect off loopback. */
export const isAuthDisabled = (env: Pick<Env, "AUTH_DISABLED">): boolean => parseSettings(env).AUTH_DISABLED;
