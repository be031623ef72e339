/** The header `Idempotency-Key` of routes outside the actions (api.md §2). */
import type { Context } from "hono";
import { AppError } from "../contract/app-error.ts";
import { IdempotencyKey } from "../contract/ids.ts";
import type { AppEnv } from "./app-env.ts";

/** The key, or undefined when the request has none. @throws {AppError} 400 for one that is empty or too long. */
export const idempotencyKeyOf = (c: Context<AppEnv>): string | undefined => {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return undefined;
  if (!IdempotencyKey.safeParse(key).success) throw new AppError(400, "Idempotency-Key: use 1 to 255 characters.");
  return key;
};
