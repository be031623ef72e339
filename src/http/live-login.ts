/** What changes something asks D1 about the log-in; only reads believe its cookie for a while. */
import { createMiddleware } from "hono/factory";
import { signInFirst } from "../contract/sign-in-first.ts";
import { openDb } from "../db/db.ts";
import { findLiveLogins } from "../db/logins.ts";
import type { AppEnv } from "./app-env.ts";

/** Refuses with 401 when the caller's log-in was revoked. Behind `requireCaller`. */
export const requireLiveLogin = createMiddleware<AppEnv>(async (c, next) => {
  const { loginId } = c.var.caller;
  if (loginId !== undefined) {
    const live = await findLiveLogins(openDb(c.env.DB), [loginId], Date.now());
    if (!live.has(loginId)) throw signInFirst();
  }
  await next();
});
