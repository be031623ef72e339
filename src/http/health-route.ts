/** `GET /_framework/health`: whether this Worker can do its work. The one route that needs no sign-in. */
import type { Hono } from "hono";
import { version } from "../../package.json";
import { AppError } from "../contract/app-error.ts";
import { openDb } from "../db/db.ts";
import { pingDb } from "../db/ping.ts";
import type { AppEnv } from "./app-env.ts";
import { refuseOtherMethods } from "./route.ts";

/** Also asked by the dev command, and by whoever watches a deployed Worker. */
export const HEALTH_PATH = "/_framework/health";

/** Text of the 503 (CONTRACT §1). */
const UNAVAILABLE = "The agent is unavailable. Try again.";

/** Answers `{ok, version, compatibilityDate}` while D1 answers, and 503 while it does not. */
export const mountHealthRoute = (app: Hono<AppEnv>): void => {
  app.get(HEALTH_PATH, async (c) => {
    await pingDb(openDb(c.env.DB)).catch((error: unknown) => {
      console.error(JSON.stringify({ level: "error", requestId: c.var.requestId, message: String(error) }));
      throw new AppError(503, UNAVAILABLE);
    });
    return c.json({ ok: true, version, compatibilityDate: c.env.COMPATIBILITY_DATE });
  });
  refuseOtherMethods(app, HEALTH_PATH, ["GET"]);
};
