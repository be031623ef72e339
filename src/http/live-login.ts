/** What changes something asks D1 about the log-in; only reads believe its cookie for a while. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { signInFirst } from "../contract/sign-in-first.ts";
import { openDb } from "../db/db.ts";
import { findLiveLogins } from "../db/logins.ts";
import type { AppEnv } from "./app-env.ts";

/** @throws {AppError} 401 when the caller's log-in was revoked. */
export const assertLiveLogin = async (c: Context<AppEnv>): Promise<void> => {
  const { loginId } = c.var.caller;
  if (loginId === undefined) return;
  const live = await findLiveLogins(openDb(c.env.DB), [loginId], Date.now());
  if (!live.has(loginId)) throw signInFirst();
};

/** The same in front of a handler, behind `requireCaller`. */
export const requireLiveLogin = createMiddleware<AppEnv>(async (c, next) => {
  await assertLiveLogin(c);
  await next();
});
