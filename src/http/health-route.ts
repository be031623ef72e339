/** `GET /_framework/health`: whether this Worker can do its work. The one route that needs no sign-in. */
import type { Hono } from "hono";
import { version } from "../../package.json";
import { AppError } from "../contract/app-error.ts";
import { openDb } from "../db/db.ts";
import { pingDb } from "../db/ping.ts";
import type { AppEnv } from "./app-env.ts";
import { refuseOtherMethods } from "./route.ts";

const PATH = "/_framework/health";

/** Text of the 503 (CONTRACT §1). */
const UNAVAILABLE = "The agent is unavailable. Try again.";

/** Answers `{ok, version, compatibilityDate}` while D1 answers, and 503 while it does not. */
export const mountHealthRoute = (app: Hono<AppEnv>): void => {
  app.get(PATH, async (c) => {
    await pingDb(openDb(c.env.DB)).catch((error: unknown) => {
      console.error(JSON.stringify({ level: "error", requestId: c.var.requestId, message: String(error) }));
      throw new AppError(503, UNAVAILABLE);
    });
    return c.json({ ok: true, version, compatibilityDate: c.env.COMPATIBILITY_DATE });
  });
  refuseOtherMethods(app, PATH, ["GET"]);
};
