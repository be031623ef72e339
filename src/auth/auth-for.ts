/** better-auth for each site, created when the first request needs it. */
import type { Env } from "../env.ts";
import { COOKIE_PREFIX } from "./auth-constants.ts";
import { findAuthSecret } from "./auth-secret.ts";
import type * as CreateAuth from "./create-auth.ts";

/** better-auth for one origin. */
export type Auth = ReturnType<typeof CreateAuth.createAuth>;

/** Most origins kept for an environment: a Worker has a few, and a `Host` header can say anything. */
const MAX_ORIGINS = 8;

/** Instances by environment and origin: creating one costs more than the rest of a request's sign-in check. */
const made = new WeakMap<Env, Map<string, Auth>>();

/** Set with the first instance, from the same module. */
let readSignedCopy: typeof CreateAuth.readSignedCopy | undefined;

/** better-auth for the site a request was sent to, or undefined without a usable secret. */
export const authFor = async (env: Env, url: string): Promise<Auth | undefined> => {
  const { origin } = new URL(url);
  const known = made.get(env)?.get(origin);
  if (known !== undefined) return known;
  const secret = findAuthSecret(env);
  if (secret === undefined) return undefined;
  const late = await import("./create-auth.ts");
  const auth = late.createAuth(env, secret, origin);
  // Initialized before it is shared, so that no request waits for what another one has begun.
  await auth.$context;
  readSignedCopy = late.readSignedCopy;
  const origins = made.get(env) ?? new Map<string, Auth>();
  if (origins.size >= MAX_ORIGINS) origins.clear();
  made.set(env, origins.set(origin, auth));
  return auth;
};

/**
 * Whether the cookies hold a valid signed copy of the log-in that they name, so that it need not be looked up. Call it after `authFor`: it
 * does not wait for the module, which another request may have begun to load.
 */
export const hasSignedCopy = async (request: Request, env: Env): Promise<boolean> => {
  const token = await readSignedCopy?.(request, findAuthSecret(env) ?? "").catch(() => undefined);
  if (token === undefined) return false;
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  // If two cookies have the same name, or nearly, better-auth reads one of them, and it may not be the one that is checked here.
  const [named, ...others] = cookies.filter((cookie) => cookie.includes(SESSION_TOKEN));
  const prefix = request.url.startsWith("https:") ? "__Host-" : "";
  return others.length === 0 && named?.startsWith(`${prefix}${SESSION_TOKEN}=${encodeURIComponent(token)}.`) === true;
};

const SESSION_TOKEN = `${COOKIE_PREFIX}.session_token`;
