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
    resolveCaller: ResolveCaller;
    /** Set by the turn start, for the log. */
    startedRunId?: RunId;
  };
};

/**
 * Finds out who calls, or `undefined` for nobody. What it gives to `setCookie` is sent with the answer. Handed to the app
 * factory, so that tests can be several people.
 */
export type ResolveCaller = (
  request: Request,
  env: Env,
  setCookie: (cookie: string) => void,
) => Promise<Caller | undefined>;
