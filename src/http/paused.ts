/** The operator's switch: `AGENT_PAUSED` keeps new turns from starting. Running turns continue, and everything can be read. */
import { AppError } from "../contract/app-error.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";

/** How soon a client may retry, in seconds: switching back is a deploy, which takes a person some minutes. */
const RETRY_AFTER_S = "300";

/** The 503 to answer while the switch is on; undefined otherwise. */
export const pausedRefusal = (env: Env): AppError | undefined =>
  parseSettings(env).AGENT_PAUSED
    ? new AppError(503, "The agent is paused here. Try again later.", { "Retry-After": RETRY_AFTER_S })
    : undefined;
