/** `GET /_framework/health`: whether this Worker can do its work. Needs no sign-in. */
import type { Context, Hono } from "hono";
import { version } from "../../../package.json";
import { unavailable } from "../../contract/app-error.ts";
import { log } from "../../contract/log.ts";
import { within } from "../../contract/within.ts";
import { openDb, pingDb } from "../../db/db.ts";
import type { AppEnv } from "../app-env.ts";
import { limitAddress } from "../rate-limit.ts";
import { refuseOtherMethods } from "../route.ts";

/** Also used by the dev command, and by monitors of a deployed Worker. */
export const HEALTH_PATH = "/_framework/health";

/** Answers `{ok, version, compatibilityDate}` while D1 answers, and 503 while it does not. */
export const mountHealthRoute = (app: Hono<AppEnv>): void => {
  app.get(HEALTH_PATH, limitAddress, async (c) => {
    if (!(await isReachable(c))) throw unavailable();
    return c.json({ ok: true, version, compatibilityDate: c.env.COMPATIBILITY_DATE });
  });
  refuseOtherMethods(app, HEALTH_PATH, ["GET"]);
};

/** How long an answer is reused, in ms: however many requests there are, each isolate queries D1 once a second. */
const ANSWER_MS = 1_000;

/** How long D1 may take, in ms: a monitor gives up on a health check after some seconds. */
const PING_MS = 5_000;

type Health = { readonly atMs: number; readonly isReachable: boolean };

/** The last answer of each database. */
const answers = new WeakMap<D1Database, Health>();

const isReachable = async (c: Context<AppEnv>): Promise<boolean> => {
  const { DB } = c.env;
  const last = answers.get(DB);
  if (last !== undefined && Math.abs(Date.now() - last.atMs) < ANSWER_MS) return last.isReachable;
  const isReachable = await within(PING_MS, () => pingDb(openDb(DB))).then(
    () => true,
    (error: unknown) => {
      log.error("The database cannot be reached.", { requestId: c.var.requestId, error });
      return false;
    },
  );
  // From the time of the answer, so that a slow database is not asked more often.
  answers.set(DB, { atMs: Date.now(), isReachable });
  return isReachable;
};
