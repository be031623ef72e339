/** How often an owner, or an address, may ask (CONTRACT §1): each kind is counted apart, by bindings of wrangler.toml. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { addressOf } from "../auth/count-attempts.ts";
import { AppError } from "../contract/app-error.ts";
import { parseSettings } from "../env.ts";
import type { AppEnv } from "./app-env.ts";
import { isLoopback } from "./loopback.ts";

/** The window of all bindings, in seconds. They do not say when theirs ends, so this is the longest one has to wait. */
const WINDOW_S = "60";

/** Counts one request of the caller; gives the 429 when it was one too many. Asked after every check that costs nothing. */
export const rateRefusal = (c: Context<AppEnv>, limiter: RateLimit): Promise<AppError | undefined> =>
  countRequest(c, limiter, c.var.caller.ownerEmail);

/** Refuses a read of the caller with 429 when it was one too many: what it would read costs more than this look. */
export const limitReads = createMiddleware<AppEnv>(async (c, next) => {
  const refusal = await countRequest(c, c.env.READ_LIMIT, c.var.caller.ownerEmail);
  if (refusal !== undefined) throw refusal;
  await next();
});

/**
 * Refuses with 429 what an address asks too often, before anything is asked of D1. Behind Cloudflare each request names its
 * address, and no client can change that; where none is named, as in front of a local Worker, nothing is counted.
 */
export const limitAddress = createMiddleware<AppEnv>(async (c, next) => {
  const address = addressOf(c.req.raw);
  const refusal = address === "" ? undefined : await countRequest(c, c.env.ADDRESS_LIMIT, address);
  if (refusal !== undefined) throw refusal;
  await next();
});

const countRequest = async (
  c: Context<AppEnv>,
  limiter: RateLimit | undefined,
  key: string,
): Promise<AppError | undefined> => {
  // Off under the dev command, and on loopback only: a variable that was deployed by mistake changes nothing.
  if (limiter === undefined || (parseSettings(c.env).RATE_LIMITS_DISABLED && isLoopback(c.req.url))) return undefined;
  // A limiter that cannot be reached limits nobody: it protects the service, it does not guard anything.
  const { success } = await limiter.limit({ key }).catch((error: unknown) => {
    console.warn(
      JSON.stringify({ level: "warn", message: "No rate limit.", requestId: c.var.requestId, error: String(error) }),
    );
    return { success: true };
  });
  if (success) return undefined;
  return new AppError(429, "Too many requests. Try again later.", { "Retry-After": WINDOW_S });
};
