/** What every handler of the app can access through its context. */
import type { Caller, RunId } from "../contract/ids.ts";
import type { Env } from "../env.ts";

/** Hono's environment: the Worker's bindings, and what the checks before a handler have established. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    /** Sent back as `X-Request-Id` and written to every log line. */
    requestId: string;
    /** Set by `requireCaller`; handlers after it can rely on it. */
    caller: Caller;
    /** Set by the turn start, for the log. */
    startedRunId?: RunId;
  };
};
