/**
 * One line a request. It holds the route and not the address, because ids of threads and searches are people's own
 * words; and no header, no body.
 */
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { RunId } from "../contract/ids.ts";
import { ownerHash } from "../contract/owner-hash.ts";
import type { AppEnv } from "./app-env.ts";
import { HEALTH_PATH } from "./health-route.ts";

/** Hono's path of what is in front of every route: all that an unknown address matches. */
const NO_ROUTE = "/*";

/** Writes the line when the answer begins; a stream goes on behind it. Health checks that succeed have none. */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const startedAtMs = Date.now();
  await next();
  const { status } = c.res;
  const path = routePath(c, -1);
  if (path === HEALTH_PATH && status === 200) return;
  const { requestId, caller } = c.var;
  const runId = c.var.startedRunId ?? RunId.safeParse(c.req.param("run_id")).data;
  console.log(
    JSON.stringify({
      ...{ level: "info", message: "request", requestId, method: c.req.method },
      ...{ route: path === NO_ROUTE ? null : path, status, ms: Date.now() - startedAtMs },
      ...(caller === undefined ? {} : { owner: await ownerHash(caller.ownerEmail) }),
      ...(runId === undefined ? {} : { runId }),
    }),
  );
});
