import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/**
 * Lets work that was begun go on for 30 s when its client disconnects, instead of being cut off at once. Settles as the work does: a
 * failure is reported to a client that is still there. https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil
 */
export const outliveClient = async <Result>(c: Context<AppEnv>, work: Promise<Result>): Promise<Result> => {
  c.executionCtx.waitUntil(work.catch(() => undefined));
  return await work;
};
