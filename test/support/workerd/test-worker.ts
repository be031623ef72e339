/**
 * The Worker as the in-workerd tests run it: the product's app and objects. Mails are kept, and objects can be made to die
 * between two steps.
 */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import type { Env } from "../../../src/env.ts";
import { createApp } from "../../../src/http/app.ts";
import { outbox } from "./outbox.ts";
import { limitD1 } from "./row-limit.ts";

export { QuotesObject } from "../../../src/quotes/quotes-object.ts";
export { SearchObject } from "../../../src/search/search-object.ts";
export { CrashingRunObject as RunObject, CrashingSessionObject as SessionObject } from "./crashing-objects.ts";
export { WatchedWorkspaceObject as WorkspaceObject } from "./watched-workspace.ts";

limitD1(bindings.DB);

const app = createApp();

/** One for each environment, as in production. */
const environments = new WeakMap<Env, Env>();

const withOutbox = (env: Env): Env => {
  const known = environments.get(env) ?? { ...env, MAIL: outbox };
  environments.set(env, known);
  return known;
};

const isEnv = (given: object | undefined): given is Env => given !== undefined && "DB" in given;

const { fetch } = app;
app.fetch = async (request, env, ctx) => {
  const given = isEnv(env) ? withOutbox(env) : env;
  if (ctx !== undefined) return await fetch(request, given, ctx);
  // Asked by a test itself: what goes on behind the answer ends within that test.
  const own = createExecutionContext();
  const answer = await fetch(request, given, own);
  await waitOnExecutionContext(own);
  return answer;
};

export default app;
