/** What `cloudflare:test` hands to tests: the Worker's own bindings and the migrations to apply. */
declare namespace Cloudflare {
  interface Env {
    readonly DB: D1Database;
    readonly RUNS: DurableObjectNamespace<import("../../src/run/run-object.ts").RunObject>;
    readonly SESSIONS: DurableObjectNamespace<import("../../src/session/session-object.ts").SessionObject>;
    readonly WORKSPACES: DurableObjectNamespace<
      import("../../src/workspace/durable/workspace-object.ts").WorkspaceObject
    >;
    readonly QUOTES: DurableObjectNamespace<import("../../src/quotes/quotes-object.ts").QuotesObject>;
    readonly SEARCH: DurableObjectNamespace<import("../../src/search/search-object.ts").SearchObject>;
    readonly TURN_RATE: RateLimit;
    readonly ACTION_RATE: RateLimit;
    readonly ADDRESS_LIMIT: RateLimit;
    readonly READ_LIMIT: RateLimit;
    readonly CHANGE_LIMIT: RateLimit;
    readonly ASSETS: Fetcher;
    readonly BETTER_AUTH_SECRET: string;
    readonly COMPATIBILITY_DATE: string;
    readonly TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}
