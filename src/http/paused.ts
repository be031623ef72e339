/** The operator's switch: `AGENT_PAUSED` keeps new turns from starting. What runs goes on, and everything can be read. */
import { AppError } from "../contract/app-error.ts";
import { type Env, parseSettings } from "../env.ts";

/** How soon a client may ask again, in seconds: switching back is a deploy, which takes a person some minutes. */
const RETRY_AFTER_S = "300";

/** The 503 while the switch is on. */
export const pausedRefusal = (env: Env): AppError | undefined =>
  parseSettings(env).AGENT_PAUSED
    ? new AppError(503, "The agent is paused here. Try again later.", { "Retry-After": RETRY_AFTER_S })
    : undefined;
