/**
 * One log line for each request. It contains the route and not the address, because thread ids and searches are people's own
 * words; and no headers or body.
 */
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { ownerHash } from "../contract/digest.ts";
import { type OwnerEmail, RunId } from "../contract/ids.ts";
import { type LogFields, log } from "../contract/log.ts";
import type { AppEnv } from "./app-env.ts";
import { HEALTH_PATH } from "./routes/health-route.ts";

/** Hono's path of the middleware in front of every route: the only match for an unknown address. */
const NO_ROUTE = "/*";

/**
 * Writes the line once the response has begun, so that no response waits for it; a stream continues after it. Successful health
 * checks are not logged.
 */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const startedAtMs = Date.now();
  await next();
  const { status } = c.res;
  const path = routePath(c, -1);
  if (path === HEALTH_PATH && status === 200) return;
  const { requestId, caller, startedRunId } = c.var;
  const line = {
    ...{ requestId, method: c.req.method },
    ...{ route: path === NO_ROUTE ? null : path, status, ms: Date.now() - startedAtMs },
    ...{ owner: undefined, runId: startedRunId ?? RunId.safeParse(c.req.param("run_id")).data },
  };
  c.executionCtx.waitUntil(writeBehind(line, caller?.ownerEmail));
});

const writeBehind = async (line: LogFields, email: OwnerEmail | undefined): Promise<void> => {
  // Lets the response go first: otherwise what follows would run before it.
  await scheduler.wait(0);
  log.info("request", { ...line, owner: email && (await ownerHash(email)) });
};
