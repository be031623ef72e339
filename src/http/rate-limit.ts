/** How often an owner, or an address, may send requests (api.md §1): each kind has its own counter, a binding in wrangler.toml. */

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { addressOf } from "../auth/count-attempts.ts";
import { AppError } from "../contract/app-error.ts";
import { isLoopbackUrl } from "../contract/local/loopback.ts";
import { log } from "../contract/log.ts";
import { parseSettings } from "../settings.ts";
import type { AppEnv } from "./app-env.ts";

/** The window of all bindings, in seconds. A binding does not report when its window ends, so the longest wait is given. */
const WINDOW_S = "60";

/** Counts one request of the caller and returns the 429 if it is over the limit. */
export const rateRefusal = (c: Context<AppEnv>, limiter: RateLimit | undefined): Promise<AppError | undefined> =>
  countRequest(c, limiter, c.var.caller.ownerEmail);

/**
 * Counts a change as one of the caller's actions. Over the limit, `find` may first refuse for another reason, since 429 comes last
 * (api.md §1). @throws {AppError} 429
 */
export const limitChange = async (c: Context<AppEnv>, find?: () => Promise<unknown>): Promise<void> => {
  const refusal = await rateRefusal(c, c.env.ACTION_RATE);
  if (refusal === undefined) return;
  await find?.();
  throw refusal;
};

/** Counts one read of the caller and returns the 429 if it is over the limit. */
export const readRefusal = (c: Context<AppEnv>): Promise<AppError | undefined> => rateRefusal(c, c.env.READ_LIMIT);

/** Refuses a caller's requests over a limit with 429, before they cost more than this check. */
const limitBy = (limit: "READ_LIMIT" | "CHANGE_LIMIT") =>
  createMiddleware<AppEnv>(async (c, next) => {
    const refusal = await rateRefusal(c, c.env[limit]);
    if (refusal !== undefined) throw refusal;
    await next();
  });

export const limitReads = limitBy("READ_LIMIT");

/** For all that changes something, whatever it is. Far above what anybody needs: `ACTION_RATE` and the others count what each kind costs. */
export const limitFloods = limitBy("CHANGE_LIMIT");

/**
 * Refuses with 429 when an address sends too many requests, before D1 is queried. Behind Cloudflare each request has its
 * client's address, which no client can fake; without one, as in front of a local Worker, nothing is counted.
 */
export const limitAddress = createMiddleware<AppEnv>(async (c, next) => {
  await assertAddressRate(c);
  await next();
});

/** The same outside of a middleware. @throws {AppError} 429 */
export const assertAddressRate = async (c: Context<AppEnv>): Promise<void> => {
  const address = addressOf(c.req.raw);
  const refusal = address === "" ? undefined : await countRequest(c, c.env.ADDRESS_LIMIT, address);
  if (refusal !== undefined) throw refusal;
};

const countRequest = async (
  c: Context<AppEnv>,
  limiter: RateLimit | undefined,
  key: string,
): Promise<AppError | undefined> => {
  // Disabled under the dev command, and only on loopback: a variable deployed by mistake has no effect.
  if (limiter === undefined || (parseSettings(c.env).RATE_LIMITS_DISABLED && isLoopbackUrl(c.req.url)))
    return undefined;
  // A limiter that cannot be reached lets everything pass: it protects the service and is not a security check.
  const { success } = await limiter.limit({ key }).catch((error: unknown) => {
    log.warn("No rate limit.", { requestId: c.var.requestId, error });
    return { success: true };
  });
  if (success) return undefined;
  return new AppError(429, "Too many requests. Try again later.", { "Retry-After": WINDOW_S });
};
