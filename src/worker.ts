/** Entry: the app as fetch handler, and the Durable Object classes. No logic. */
import { runCron } from "./account/run-cron.ts";
import type { Env } from "./env.ts";
import { createApp } from "./http/app.ts";

export { QuotesObject } from "./quotes/quotes-object.ts";
export { RunObject } from "./run/run-object.ts";
export { SearchObject } from "./search/search-object.ts";
export { SessionObject } from "./session/session-object.ts";
export { WorkspaceObject } from "./workspace/durable/workspace-object.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: ({ cron }, env, ctx) => ctx.waitUntil(runCron(env, cron)),
} satisfies ExportedHandler<Env>;
