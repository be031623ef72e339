/** What the Worker is given: bindings and variables. `settings.ts` parses the variables that are switches or have a default. */
import type { QuotesRpc } from "./quotes/object/quotes-rpc.ts";
import type { RunRpc } from "./run/run-rpc.ts";
import type { SearchRpc } from "./search/search-rpc.ts";
import type { SessionRpc } from "./session/session-wire.ts";
import type { WorkspaceRpc } from "./workspace/durable/workspace-rpc.ts";

/** Bindings and variables of wrangler.toml, `.dev.vars` and the dev command. */
export interface Env {
  readonly DB: D1Database;
  readonly RUNS: DurableObjectNamespace<RunRpc>;
  readonly SESSIONS: DurableObjectNamespace<SessionRpc>;
  readonly WORKSPACES: DurableObjectNamespace<WorkspaceRpc>;
  readonly QUOTES: DurableObjectNamespace<QuotesRpc>;
  readonly SEARCH: DurableObjectNamespace<SearchRpc>;
  /** The app's files. */
  readonly ASSETS: Fetcher;
  /** Count an owner's turn starts and actions. */
  readonly TURN_RATE: RateLimit;
  readonly ACTION_RATE: RateLimit;
  /**
   * Count an owner's reads, and whatever they change; and of an address health, sign-in, the unsubscribe link and look-ups of log-ins. If
   * they are not bound, nothing is counted.
   */
  readonly READ_LIMIT?: RateLimit;
  readonly CHANGE_LIMIT?: RateLimit;
  readonly ADDRESS_LIMIT?: RateLimit;
  readonly COMPATIBILITY_DATE: string;
  readonly AUTH_DISABLED?: string;
  /**
   * Set only by the dev command, new at each start: its listener sends it with each request that it has checked, and its clock with each
   * cron.
   */
  readonly FRONT_SECRET?: string;
  /** Signs log-in cookies: 32 bytes or more. Without it nobody can sign in. */
  readonly BETTER_AUTH_SECRET?: string;
  /** Sends all mails, from the address in `MAIL_FROM`: codes, invitations, notices, news of a new device. */
  readonly MAIL?: SendEmail;
  readonly MAIL_FROM?: string;
  /** Most mails of all kinds in an hour; 2,000 when unset. */
  readonly MAILS_PER_HOUR?: string;
  /** Set only by `npm run dev -- --auth`: codes are printed instead of sent. Without effect off loopback. */
  readonly PRINT_SIGN_IN_CODES?: string;
  /** Set only by the dev command and `.dev.vars`; without effect off loopback. */
  readonly RATE_LIMITS_DISABLED?: string;
  /** Addresses and `@domains` that may sign in; when unset everybody may, when it names none nobody may. */
  readonly ALLOWED_EMAILS?: string;
  readonly ANTHROPIC_API_KEY?: string;
  readonly ANTHROPIC_AUTH_TOKEN?: string;
  readonly ANTHROPIC_BASE_URL?: string;
  readonly AGENT_MODEL?: string;
  /** Ids of the models that a turn can choose, separated by commas. */
  readonly AGENT_MODELS?: string;
  /** What a run may spend on its model before it asks, in US dollars: a decimal above 0. */
  readonly AGENT_RUN_BUDGET_USD?: string;
  /** What one owner, and what all together, may spend on models in a day (UTC), in US dollars. Nobody is asked for more. */
  readonly AGENT_OWNER_DAY_BUDGET_USD?: string;
  readonly AGENT_DAY_BUDGET_USD?: string;
  /** Keeps new turns from starting. */
  readonly AGENT_PAUSED?: string;
  /** `off`: chats keep the beginning of their first prompt as their title, and the model is not asked for one. */
  readonly AGENT_TITLES?: string;
  /** Keeps schedules from starting anything; what is due meanwhile starts afterwards, once. */
  readonly SCHEDULES_PAUSED?: string;
  /** Keeps notices from being sent; they wait. */
  readonly NOTICES_PAUSED?: string;
  /** This app's address, such as `https://tally.example.com`: mailed notices link to it. */
  readonly APP_ORIGIN?: string;
  /** The keys of web push, as `npm run push-keys` prints them; without them nothing is pushed. */
  readonly VAPID_PUBLIC_KEY?: string;
  readonly VAPID_PRIVATE_KEY?: string;
  /** Where push services find the operator: `mailto:` or `https:`. */
  readonly VAPID_SUBJECT?: string;
  /** Set only by the dev command: notices are printed instead of mailed, and devices may be on loopback. */
  readonly PRINT_NOTICES?: string;
  readonly LOOPBACK_PUSH?: string;
  /** Set only by `npm run dev -- --service-worker`: pages over HTTP start the app's service worker. */
  readonly SERVICE_WORKER?: string;
  /** `true`: nothing leaves the machine but requests to the model and to `WORKSPACE_URL`. */
  readonly OFFLINE?: string;
  /** Replace the sources of rates and prices; on loopback only. */
  readonly FX_BASE_URL?: string;
  readonly TWELVEDATA_BASE_URL?: string;
  readonly EODHD_BASE_URL?: string;
  /** Set only by `npm run dev -- --demo`: a server of prices and rates that are not real. Without effect off loopback. */
  readonly DEMO_PRICES_URL?: string;
  /** `owner`: everybody's own key. `display`: the deployment's, for an operator whose licence lets them show data to others. */
  readonly QUOTES_LICENCE?: string;
  readonly QUOTES_SOURCE?: string;
  readonly QUOTES_KEY?: string;
  readonly AGENT_WORKSPACE_DIR?: string;
  /** The harness of new turns, by name (`contract/ids`); `anthropic` when unset. */
  readonly AGENT_HARNESS?: string;
  /** Set only by the dev command: where this app's source is in the real directory, `.` when it is all of it. */
  readonly OWN_SOURCE_DIR?: string;
  /** Where a real directory is served, and the secret for it; without them the durable workspace is used. */
  readonly WORKSPACE_URL?: string;
  readonly WORKSPACE_TOKEN?: string;
  /** The e-mail of the one person that the real directory is served to; everybody else has the durable workspace. */
  readonly WORKSPACE_OWNER?: string;
  /** Set only by the dev command and `.dev.vars`: lets the demo model answer when there is no credential. */
  readonly DEMO_MODEL?: string;
}
