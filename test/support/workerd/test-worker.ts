/**
 * The Worker as the in-workerd tests run it: the product's app and objects. A header says who calls, so that a test can be
 * two people; without it, whoever has signed in. Mails are kept, and objects can be made to die between two steps.
 */
import { OwnerEmail } from "../../../src/contract/ids.ts";
import type { Env } from "../../../src/env.ts";
import { createApp } from "../../../src/http/app.ts";
import { resolveCaller } from "../../../src/http/caller.ts";
import { outbox } from "./outbox.ts";

export { CrashingRunObject as RunObject, CrashingSessionObject as SessionObject } from "./crashing-objects.ts";
export { WatchedWorkspaceObject as WorkspaceObject } from "./watched-workspace.ts";

const app = createApp({
  resolveCaller: async (request, env, setCookie) => {
    const email = request.headers.get("x-test-email");
    if (email === null) return await resolveCaller(request, env, setCookie);
    return { ownerEmail: OwnerEmail.parse(email), orgId: request.headers.get("x-test-org") };
  },
});

/** One for each environment, as in production. */
const environments = new WeakMap<Env, Env>();

const withOutbox = (env: Env): Env => {
  const known = environments.get(env) ?? { ...env, MAIL: outbox };
  environments.set(env, known);
  return known;
};

const isEnv = (given: object | undefined): given is Env => given !== undefined && "DB" in given;

const { fetch } = app;
app.fetch = (request, env, ctx) => fetch(request, isEnv(env) ? withOutbox(env) : env, ctx);

export default app;
