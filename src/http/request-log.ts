/**
 * One line a request. It holds the route and not the address, because ids of threads and searches are people's own
 * words; and no header, no body.
 */
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { type OwnerEmail, RunId } from "../contract/ids.ts";
import { ownerHash } from "../contract/owner-hash.ts";
import type { AppEnv } from "./app-env.ts";
import { HEALTH_PATH } from "./health-route.ts";

/** Hono's path of what is in front of every route: all that an unknown address matches. */
const NO_ROUTE = "/*";

/** Hashes of owners, by e-mail: most requests are of somebody who has just sent another. Emptied when it is full. */
const hashes = new Map<string, string>();
const MAX_HASHES = 1_000;

/**
 * Writes the line once the answer has begun, so that no answer waits for it; a stream goes on behind it. Health checks
 * that succeed have none.
 */
export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  const startedAtMs = Date.now();
  await next();
  const { status } = c.res;
  const path = routePath(c, -1);
  if (path === HEALTH_PATH && status === 200) return;
  const { requestId, caller, startedRunId } = c.var;
  // Fields that are not known are left out by JSON.
  const line = {
    ...{ level: "info", message: "request", requestId, method: c.req.method },
    ...{ route: path === NO_ROUTE ? null : path, status, ms: Date.now() - startedAtMs },
    ...{ owner: undefined, runId: startedRunId ?? RunId.safeParse(c.req.param("run_id")).data },
  };
  c.executionCtx.waitUntil(writeBehind(line, caller?.ownerEmail));
});

const writeBehind = async (line: object, email: OwnerEmail | undefined): Promise<void> => {
  // Lets the answer go first: what follows would else run before it.
  await scheduler.wait(0);
  console.log(JSON.stringify({ ...line, owner: email && (await hashOf(email)) }));
};

const hashOf = async (email: OwnerEmail): Promise<string> => {
  const known = hashes.get(email);
  if (known !== undefined) return known;
  const hash = await ownerHash(email);
  if (hashes.size >= MAX_HASHES) hashes.clear();
  hashes.set(email, hash);
  return hash;
};
