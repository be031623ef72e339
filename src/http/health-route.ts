/** `GET /_framework/health`: whether this Worker can do its work. The one route that needs no sign-in. */
import type { Context, Hono } from "hono";
import { version } from "../../package.json";
import { AppError } from "../contract/app-error.ts";
import { openDb } from "../db/db.ts";
import { pingDb } from "../db/ping.ts";
import type { AppEnv } from "./app-env.ts";
import { limitAddress } from "./rate-limit.ts";
import { refuseOtherMethods } from "./route.ts";

/** Also asked by the dev command, and by whoever watches a deployed Worker. */
export const HEALTH_PATH = "/_framework/health";

/** Text of the 503 (CONTRACT §1). */
const UNAVAILABLE = "The agent is unavailable. Try again.";

/** Answers `{ok, version, compatibilityDate}` while D1 answers, and 503 while it does not. */
export const mountHealthRoute = (app: Hono<AppEnv>): void => {
  app.get(HEALTH_PATH, limitAddress, async (c) => {
    if (!(await isReachable(c))) throw new AppError(503, UNAVAILABLE);
    return c.json({ ok: true, version, compatibilityDate: c.env.COMPATIBILITY_DATE });
  });
  refuseOtherMethods(app, HEALTH_PATH, ["GET"]);
};

/** How long an answer counts, in ms: whoever asks, and how often, D1 is asked once a second by each isolate. */
const ANSWER_MS = 1_000;

type Health = { readonly atMs: number; readonly isReachable: boolean };

/** The last answer of each database. */
const answers = new WeakMap<D1Database, Health>();

const isReachable = async (c: Context<AppEnv>): Promise<boolean> => {
  const { DB } = c.env;
  const nowMs = Date.now();
  const last = answers.get(DB);
  if (last !== undefined && Math.abs(nowMs - last.atMs) < ANSWER_MS) return last.isReachable;
  const isReachable = await pingDb(openDb(DB)).then(
    () => true,
    (error: unknown) => {
      console.error(JSON.stringify({ level: "error", requestId: c.var.requestId, message: String(error) }));
      return false;
    },
  );
  answers.set(DB, { atMs: nowMs, isReachable });
  return isReachable;
};
