/** What the Worker is given: bindings, and settings parsed once per use from its variables. */
import * as z from "zod";
import type { RunObject } from "./run/run-object.ts";
import type { SessionObject } from "./session/session-object.ts";
import type { WorkspaceObject } from "./workspace/workspace-object.ts";

/** Bindings and variables of wrangler.toml, `.dev.vars` and the dev command. */
export interface Env {
  readonly DB: D1Database;
  readonly RUNS: DurableObjectNamespace<RunObject>;
  readonly SESSIONS: DurableObjectNamespace<SessionObject>;
  readonly WORKSPACES: DurableObjectNamespace<WorkspaceObject>;
  /** The app's files. */
  readonly ASSETS: Fetcher;
  /** Count an owner's turn starts and actions. */
  readonly TURN_RATE: RateLimit;
  readonly ACTION_RATE: RateLimit;
  /** Count an owner's reads, and what an address asks that has not signed in. Where they are not bound nothing is counted. */
  readonly READ_LIMIT?: RateLimit;
  readonly ADDRESS_LIMIT?: RateLimit;
  readonly COMPATIBILITY_DATE: string;
  readonly AUTH_DISABLED?: string;
  /** Set by the dev command alone, anew at each start: what its listener says of each request that it has looked at. */
  readonly FRONT_SECRET?: string;
  /** Signs log-in cookies: 32 bytes or more. Without it nobody can sign in. */
  readonly BETTER_AUTH_SECRET?: string;
  /** Sends sign-in codes, from the address in `MAIL_FROM`. */
  readonly MAIL?: SendEmail;
  readonly MAIL_FROM?: string;
  /** Most mails of all kinds in an hour; 2,000 where it is not set. */
  readonly MAILS_PER_HOUR?: string;
  /** Set by `npm run dev -- --auth` alone: codes are printed instead of sent. Without effect off loopback. */
  readonly PRINT_SIGN_IN_CODES?: string;
  /** Set by the dev command and `.dev.vars` alone; without effect off loopback. */
  readonly RATE_LIMITS_DISABLED?: string;
  /** Addresses and `@domains` that may sign in; everybody may where it is not set. */
  readonly ALLOWED_EMAILS?: string;
  readonly ANTHROPIC_API_KEY?: string;
  readonly ANTHROPIC_AUTH_TOKEN?: string;
  readonly ANTHROPIC_BASE_URL?: string;
  readonly AGENT_MODEL?: string;
  /** Ids of the models that a turn can choose, separated by commas. */
  readonly AGENT_MODELS?: string;
  /** What a run may spend on its model before it asks, in US dollars: a decimal above 0. */
  readonly AGENT_RUN_BUDGET_USD?: string;
  /** What one owner, and what all of them, may spend on models in a day (UTC), in US dollars. Nobody is asked for more. */
  readonly AGENT_OWNER_DAY_BUDGET_USD?: string;
  readonly AGENT_DAY_BUDGET_USD?: string;
  /** Keeps new turns from starting. */
  readonly AGENT_PAUSED?: string;
  readonly AGENT_WORKSPACE_DIR?: string;
  /** Set by the dev command alone: where this app's source is in the real directory, `.` when that is all of it. */
  readonly OWN_SOURCE_DIR?: string;
  /** Where a real directory is served, and the secret for it; without them the durable workspace is used. */
  readonly WORKSPACE_URL?: string;
  readonly WORKSPACE_TOKEN?: string;
  /** The one person the real directory is served to, as an e-mail; everybody else has the durable workspace. */
  readonly WORKSPACE_OWNER?: string;
  /** Set by the dev command and `.dev.vars` alone: lets the demo model answer when there is no credential. */
  readonly DEMO_MODEL?: string;
}

/** A switch as people write it: `true` or `1`, any case. */
const Switch = z
  .string()
  .optional()
  .transform((value) => value !== undefined && ["true", "1"].includes(value.trim().toLowerCase()));

const Settings = z.object({
  AUTH_DISABLED: Switch,
  PRINT_SIGN_IN_CODES: Switch,
  RATE_LIMITS_DISABLED: Switch,
  DEMO_MODEL: Switch,
  AGENT_PAUSED: Switch,
  AGENT_WORKSPACE_DIR: z.string().trim().min(1).default("."),
});

/** Parses the variables that are not secrets. */
export const parseSettings = (env: Pick<Env, keyof z.input<typeof Settings>>): z.infer<typeof Settings> =>
  Settings.parse(env);
