/** The product with a D1 that fails as planned, and the two routes by which the suite plans it. */
import type { Env } from "../../../src/env.ts";
import { QuotesObject as ProductQuotes } from "../../../src/quotes/quotes-object.ts";
import { RunObject as ProductRun } from "../../../src/run/run-object.ts";
import { SessionObject as ProductSession } from "../../../src/session/session-object.ts";
import app from "../../../src/worker.ts";
import { WorkspaceObject as ProductWorkspace } from "../../../src/workspace/durable/workspace-object.ts";
import { FaultPlan, faultState, setFaultPlan } from "./fault-plan.ts";
import { faultyDatabase } from "./faulty-database.ts";

// It writes to SQLite of its own alone.
export { SearchObject } from "../../../src/search/search-object.ts";

const withFaults = (env: Env): Env => ({ ...env, DB: faultyDatabase(env.DB) });

export class RunObject extends ProductRun {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env));
  }
}

export class SessionObject extends ProductSession {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env));
  }
}

export class WorkspaceObject extends ProductWorkspace {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env));
  }
}

export class QuotesObject extends ProductQuotes {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env));
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/_faults") return await app.fetch(request, withFaults(env), ctx);
    if (request.method === "POST") setFaultPlan(FaultPlan.parse(await request.json()));
    return Response.json(faultState());
  },
} satisfies ExportedHandler<Env>;
