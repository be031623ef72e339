/** What is checked before a route starts something for the agent: the request's key, and the operator's switch. */
import type { Context } from "hono";
import { AppError } from "../contract/app-error.ts";
import { IdempotencyKey } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import type { AppEnv } from "./app-env.ts";

/**
 * The header `Idempotency-Key` of routes outside the actions (api.md §2), or undefined when the request has none. @throws {AppError} 400
 * for one that is empty or too long.
 */
export const idempotencyKeyOf = (c: Context<AppEnv>): string | undefined => {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return undefined;
  if (!IdempotencyKey.safeParse(key).success) throw new AppError(400, "Idempotency-Key: use 1 to 255 characters.");
  return key;
};

/** How soon a client may retry, in seconds: switching back is a deploy, which takes a person some minutes. */
const RETRY_AFTER_S = "300";

/**
 * The 503 to answer while `AGENT_PAUSED` keeps new turns from starting; undefined otherwise. Running turns continue, and everything can be
 * read.
 */
export const pausedRefusal = (env: Env): AppError | undefined =>
  parseSettings(env).AGENT_PAUSED
    ? new AppError(503, "The agent is paused here. Try again later.", { "Retry-After": RETRY_AFTER_S })
    : undefined;
