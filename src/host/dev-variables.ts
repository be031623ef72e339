/** Which variables the Worker of `npm run dev` gets, and which of their sources wins. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import { credentialVariable, holdsSubscriptionToken } from "../model/credential.ts";
import { badDayBudget, DAY_BUDGETS, unreadableDayBudgets } from "../model/day-budget.ts";
import { BAD_BUDGET, readRunBudget } from "../model/run-budget.ts";
import type { DevOptions } from "./dev-options.ts";
import { PROJECT_DIR } from "./project.ts";
import { StartRefusal } from "./start-refusal.ts";

/** All that is taken from this process's environment; nothing else of it reaches the Worker. */
const PASSED_ON = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "AGENT_MODEL",
  "AGENT_MODELS",
  "AGENT_RUN_BUDGET_USD",
  ...DAY_BUDGETS,
  "AGENT_PAUSED",
  "ALLOWED_EMAILS",
  "AGENT_WORKSPACE_DIR",
] as const;

/** A subscription's token. The Worker has no use for it (decision 0076), so it does not get it. */
const KEPT_BACK = "CLAUDE_CODE_OAUTH_TOKEN";

/** Variables by name, and what the start-up lines say of them. */
export type DevVariables = {
  readonly values: Readonly<Record<string, string>>;
  /** Absolute path of the directory the agent works in. */
  readonly workspaceDir: string;
  /** The variable that holds the credential in use; `undefined` means that the demo model answers. */
  readonly credential: string | undefined;
  /** The variable with a subscription's token that somebody may take for the model's credential. */
  readonly refusedToken: string | undefined;
};

/**
 * Merges, weakest first: our defaults, `.dev.vars` (its text), `environment`, and what the options decide. A variable that is
 * set to nothing wins as well: it takes a value of `.dev.vars` away. Merged here, because wrangler leaves `.dev.vars` out
 * as soon as it is given a file of ours.
 *
 * @throws {StartRefusal} when AGENT_WORKSPACE_DIR is not a directory (relative, it counts from `cwd`), or a budget no amount.
 */
export const readDevVariables = (
  options: DevOptions,
  sources: { environment: Readonly<Record<string, string | undefined>>; devVarsText: string; cwd: string },
): DevVariables => {
  const given: Record<string, string | undefined> = { ...parseEnv(sources.devVarsText) };
  for (const name of [...PASSED_ON, KEPT_BACK]) given[name] = sources.environment[name] ?? given[name];
  if (readRunBudget(given.AGENT_RUN_BUDGET_USD) === null) throw new StartRefusal(BAD_BUDGET);
  const [bad] = unreadableDayBudgets(given);
  if (bad !== undefined) throw new StartRefusal(badDayBudget(bad));
  const workspaceDir = requireDirectory(resolve(sources.cwd, given.AGENT_WORKSPACE_DIR || "."));
  const merged = {
    DEMO_MODEL: "true",
    ...given,
    [KEPT_BACK]: "",
    AGENT_WORKSPACE_DIR: workspaceDir,
    OWN_SOURCE_DIR: options.hostWorkspace ? ownSourceIn(workspaceDir) : "",
    AUTH_DISABLED: String(!options.auth),
    PRINT_SIGN_IN_CODES: options.auth ? "true" : "",
    RATE_LIMITS_DISABLED: String(!options.rateLimits),
  };
  return {
    values: Object.fromEntries(Object.entries(merged).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    workspaceDir,
    credential: credentialVariable(given),
    refusedToken: refusedToken(given),
  };
};

const refusedToken = (given: Readonly<Record<string, string | undefined>>): string | undefined => {
  if (holdsSubscriptionToken(given)) return "ANTHROPIC_API_KEY";
  return given[KEPT_BACK]?.trim() && credentialVariable(given) === undefined ? KEPT_BACK : undefined;
};

/** Where this checkout is in a directory, with slashes: `.` when the directory is it or inside it, "" when it is elsewhere. */
const ownSourceIn = (dir: string): string => {
  // As the disk has both: links are seen through, and names have their own case.
  const [root, project] = [realpathSync.native(dir), realpathSync.native(PROJECT_DIR)];
  if (holds(project, root)) return ".";
  return holds(root, project) ? relative(root, project).split(sep).join("/") : "";
};

const holds = (dir: string, path: string): boolean => {
  const way = relative(dir, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const requireDirectory = (path: string): string => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new StartRefusal(`AGENT_WORKSPACE_DIR: ${path} is not a directory. Create it, or name another.`);
};
