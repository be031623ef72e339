/** Which variables the Worker of `npm run dev` gets, and which of their sources takes precedence. */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { parse as parseToml, TomlError } from "smol-toml";
import * as z from "zod";
import { NAMES_NOBODY, namesNobody } from "../../auth/allowed-emails.ts";
import { isRecord } from "../../contract/parse-json.ts";
import type { SdkSetup } from "../../harness-host/agent/agent-start.ts";
import { BAD_BUDGET, badDayBudget, DAY_BUDGETS, readAmount, unreadableDayBudgets } from "../../model/budgets.ts";
import { credentialVariable, holdsSubscriptionToken } from "../../model/credential.ts";
import { ownSourceIn } from "../../process/project.ts";
import { StartRefusal } from "../../process/run-program.ts";
import { switchProblems } from "../../settings.ts";
import { findSdkSetup, NETWORK_VARIABLES, parseHarness } from "../sdk-setup.ts";
import type { DevOptions } from "./dev-options.ts";

/** The variables taken from this process's environment; no others reach the Worker. */
export const PASSED_ON = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "AGENT_MODEL",
  "AGENT_MODELS",
  "AGENT_HARNESS",
  "AGENT_RUN_BUDGET_USD",
  ...DAY_BUDGETS,
  "AGENT_PAUSED",
  "AGENT_TITLES",
  "SCHEDULES_PAUSED",
  "NOTICES_PAUSED",
  "VAPID_PUBLIC_KEY",
  "VAPID_PRIVATE_KEY",
  "VAPID_SUBJECT",
  "OFFLINE",
  "FX_BASE_URL",
  "TWELVEDATA_BASE_URL",
  "EODHD_BASE_URL",
  "QUOTES_LICENCE",
  "QUOTES_SOURCE",
  "QUOTES_KEY",
  "ALLOWED_EMAILS",
  "AGENT_WORKSPACE_DIR",
  "AGENT_SDK_DIR",
] as const;

/** A subscription's token. The Worker cannot use it (decision 0076); the vendor's own SDK can. */
const SUBSCRIPTION_TOKEN = "CLAUDE_CODE_OAUTH_TOKEN";

/**
 * Variables for the vendor's SDK that the Worker does not get: a token, where the login of the vendor's own client is, and how that client
 * finds its network. Where the SDK runs, the Worker does not get an API key or its address on loopback either.
 */
const KEPT_BACK = [SUBSCRIPTION_TOKEN, "CLAUDE_CONFIG_DIR", ...NETWORK_VARIABLES] as const;

/** Variables by name, and what the start-up lines report about them. */
export type DevVariables = {
  readonly values: Readonly<Record<string, string>>;
  /** Absolute path of the directory the agent works in, without links. */
  readonly workspaceDir: string;
  /** The variable that holds the credential in use; `undefined` means that the demo model answers. */
  readonly credential: string | undefined;
  /** A variable with a subscription's token, which somebody may take for the model's credential. */
  readonly refusedToken: string | undefined;
  /** How the vendor's agent SDK is run, when it is the harness. */
  readonly sdk: SdkSetup | undefined;
};

/** Variables that wrangler.toml sets for the deployed Worker alone. Here the dev command chooses the harness and serves the directory. */
const OF_ANOTHER_MACHINE = [
  ...["AGENT_HARNESS", "AGENT_SDK_DIR", "AGENT_WORKSPACE_DIR"],
  ...["WORKSPACE_URL", "WORKSPACE_TOKEN", "WORKSPACE_OWNER"],
];

const Config = z.object({ vars: z.record(z.string(), z.unknown()).default({}) });

/**
 * The variables under `[vars]` of wrangler.toml, as text; a table is left to wrangler. The Worker gets them from wrangler.toml where
 * nothing of ours takes their place, so those for the deployed Worker alone are empty here, and not left out.
 */
const variablesIn = (configText: string): Record<string, string> => {
  try {
    const { vars } = Config.parse(parseToml(configText));
    const texts = Object.entries(vars).filter(([, value]) => !isRecord(value));
    return Object.fromEntries(
      texts.map(([name, value]) => [name, OF_ANOTHER_MACHINE.includes(name) ? "" : String(value)]),
    );
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new StartRefusal(`wrangler.toml: line ${error.line} cannot be read. ${error.message.split("\n", 1)[0]}.`);
  }
};

/**
 * Merges, lowest precedence first: our defaults, `[vars]` of wrangler.toml (its text), `.dev.vars` (its text), `environment`, and what the
 * options decide. An empty variable takes precedence too: it removes a value of `.dev.vars`, and is handed to the Worker in place of one of
 * wrangler.toml. They are merged here because wrangler ignores `.dev.vars` as soon as it is given a file of ours.
 *
 * @throws {StartRefusal} when wrangler.toml is not TOML, the harness is unknown or cannot run, AGENT_WORKSPACE_DIR is not a directory (a
 * relative one is relative to `cwd`), a budget is not an amount, a switch is neither on nor off, or the list of who may sign in names
 * nobody.
 */
export const readDevVariables = (
  options: DevOptions,
  sources: {
    environment: Readonly<Record<string, string | undefined>>;
    devVarsText: string;
    configText?: string;
    cwd: string;
  },
): DevVariables => {
  const configured = variablesIn(sources.configText ?? "");
  // Node would take a byte order mark for a part of the first name, and wrangler does not.
  const devVars = parseEnv(sources.devVarsText.replace(/^\ufeff/, ""));
  const given: Record<string, string | undefined> = { ...configured, ...devVars };
  for (const name of [...PASSED_ON, ...KEPT_BACK]) given[name] = sources.environment[name] ?? given[name];
  if (readAmount(given.AGENT_RUN_BUDGET_USD) === null) throw new StartRefusal(BAD_BUDGET);
  const [bad] = unreadableDayBudgets(given);
  if (bad !== undefined) throw new StartRefusal(badDayBudget(bad));
  const [unread] = switchProblems(given);
  if (unread !== undefined) throw new StartRefusal(unread);
  if ((given.ALLOWED_EMAILS || configured.ALLOWED_EMAILS) && namesNobody(given)) throw new StartRefusal(NAMES_NOBODY);
  const harness = options.harness ?? parseHarness(given.AGENT_HARNESS?.trim() || "anthropic", "AGENT_HARNESS");
  const sdk = harness === "agent-sdk" ? requireSdk(options, given) : undefined;
  const workspaceDir = requireDirectory(resolve(sources.cwd, given.AGENT_WORKSPACE_DIR || "."));
  const merged = {
    // If an earlier start left a turn to our own loop, that turn fails for want of a key, which is plainer than made-up answers.
    DEMO_MODEL: sdk === undefined ? "true" : "",
    ...given,
    ...Object.fromEntries(KEPT_BACK.map((name) => [name, ""])),
    ...(sdk === undefined ? {} : { ANTHROPIC_API_KEY: "", ...(sdk.baseUrl && { ANTHROPIC_BASE_URL: "" }) }),
    AGENT_HARNESS: harness,
    AGENT_SDK_DIR: "",
    AGENT_WORKSPACE_DIR: workspaceDir,
    OWN_SOURCE_DIR: options.hostWorkspace ? ownSourceIn(workspaceDir) : "",
    AUTH_DISABLED: String(!options.auth),
    PRINT_SIGN_IN_CODES: options.auth ? "true" : "",
    PRINT_NOTICES: "true",
    LOOPBACK_PUSH: "true",
    SERVICE_WORKER: options.serviceWorker ? "true" : "",
    APP_ORIGIN: `http://localhost:${options.port}`,
    RATE_LIMITS_DISABLED: String(!options.rateLimits),
  };
  return {
    values: Object.fromEntries(
      Object.entries(merged).flatMap(([name, value = ""]) => (value || name in configured ? [[name, value]] : [])),
    ),
    workspaceDir,
    credential: credentialVariable(given),
    refusedToken: sdk === undefined ? refusedToken(given) : undefined,
    sdk,
  };
};

const requireSdk = (options: DevOptions, given: Readonly<Record<string, string | undefined>>): SdkSetup => {
  if (options.hostWorkspace) return findSdkSetup(given);
  throw new StartRefusal("--harness agent-sdk works in a real directory: leave out --no-host-workspace.", 2);
};

const refusedToken = (given: Readonly<Record<string, string | undefined>>): string | undefined => {
  if (holdsSubscriptionToken(given)) return "ANTHROPIC_API_KEY";
  return given[SUBSCRIPTION_TOKEN]?.trim() && credentialVariable(given) === undefined ? SUBSCRIPTION_TOKEN : undefined;
};

/** Returns the real path: what was allowed in a directory is kept by its name, which must not lead to another one at the next start. */
const requireDirectory = (path: string): string => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync.native(path);
  throw new StartRefusal(`AGENT_WORKSPACE_DIR: ${path} is not a directory. Create it, or name another.`);
};
