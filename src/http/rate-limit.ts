/** How often an owner may ask (CONTRACT §1): turns and actions are counted apart, by bindings of wrangler.toml. */
import type { Context } from "hono";
import { AppError } from "../contract/app-error.ts";
import { parseSettings } from "../env.ts";
import type { AppEnv } from "./app-env.ts";
import { isLoopback } from "./loopback.ts";

/** The window of both bindings, in seconds. They do not say when theirs ends, so this is the longest one has to wait. */
const WINDOW_S = "60";

/** Counts one request of the caller; gives the 429 when it was one too many. Asked after every check that costs nothing. */
export const rateRefusal = async (c: Context<AppEnv>, limiter: RateLimit): Promise<AppError | undefined> => {
  // Off under the dev command, and on loopback only: a variable that was deployed by mistake changes nothing.
  if (parseSettings(c.env).RATE_LIMITS_DISABLED && isLoopback(c.req.url)) return undefined;
  // A limiter that cannot be reached limits nobody: it protects the service, it does not guard anything.
  const { success } = await limiter.limit({ key: c.var.caller.ownerEmail }).catch((error: unknown) => {
    console.warn(
      JSON.stringify({ level: "warn", message: "No rate limit.", requestId: c.var.requestId, error: String(error) }),
    );
    return { success: true };
  });
  if (success) return undefined;
  return new AppError(429, "Too many requests. Try again later.", { "Retry-After": WINDOW_S });
};
