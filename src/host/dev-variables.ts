/** Which variables the Worker of `npm run dev` gets, and which of their sources wins. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { DevOptions } from "./dev-options.ts";
import { StartRefusal } from "./start-refusal.ts";

/** Variables that set up the Worker's model, credentials first. */
const CREDENTIALS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"] as const;

/** All that is taken from this process's environment; nothing else of it reaches the Worker. */
const PASSED_ON = [...CREDENTIALS, "ANTHROPIC_BASE_URL", "AGENT_MODEL", "AGENT_WORKSPACE_DIR"] as const;

/** Variables by name, and what the start-up lines say of them. */
export type DevVariables = {
  readonly values: Readonly<Record<string, string>>;
  /** Absolute path of the directory the agent works in. */
  readonly workspaceDir: string;
  /** The variable that holds the credential in use; `undefined` means that the demo model answers. */
  readonly credential: string | undefined;
};

/**
 * Merges, weakest first: our defaults, `.dev.vars` (its text), `environment`, and what the options decide. A variable that is
 * set to nothing wins as well: it takes a value of `.dev.vars` away. Merged here, because wrangler leaves `.dev.vars` out
 * as soon as it is given a file of ours.
 *
 * @throws {StartRefusal} when AGENT_WORKSPACE_DIR is not a directory. Relative, it counts from `cwd`.
 */
export const readDevVariables = (
  options: DevOptions,
  sources: { environment: Readonly<Record<string, string | undefined>>; devVarsText: string; cwd: string },
): DevVariables => {
  const given: Record<string, string | undefined> = { ...parseEnv(sources.devVarsText) };
  for (const name of PASSED_ON) given[name] = sources.environment[name] ?? given[name];
  const workspaceDir = requireDirectory(resolve(sources.cwd, given.AGENT_WORKSPACE_DIR || "."));
  const merged = {
    DEMO_MODEL: "true",
    ...given,
    AGENT_WORKSPACE_DIR: workspaceDir,
    AUTH_DISABLED: String(!options.auth),
    PRINT_SIGN_IN_CODES: options.auth ? "true" : "",
    RATE_LIMITS_DISABLED: String(!options.rateLimits),
  };
  return {
    values: Object.fromEntries(Object.entries(merged).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    workspaceDir,
    credential: CREDENTIALS.find((name) => given[name]?.trim()),
  };
};

const requireDirectory = (path: string): string => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new StartRefusal(`AGENT_WORKSPACE_DIR: ${path} is not a directory. Create it, or name another.`);
};
