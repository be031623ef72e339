/** What every handler of the app can reach through its context. */
import type { Caller } from "../contract/caller.ts";
import type { RunId } from "../contract/ids.ts";
import type { Env } from "../env.ts";

/** Hono's environment: the Worker's bindings, and what the checks before a handler have found out. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    /** Sent back as `X-Request-Id` and written to every log line. */
    requestId: string;
    /** Set by `requireCaller`; a handler behind it can rely on it. */
    caller: Caller;
    /** Set by the turn start, for the log. */
    startedRunId?: RunId;
  };
};
