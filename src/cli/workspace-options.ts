/** The options of `npm run workspace`. The directory and the token are never on the command line. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { SdkSetup } from "../harness-host/agent/agent-start.ts";
import { holdsRunningCode } from "../process/project.ts";
import { StartRefusal } from "../process/run-program.ts";
import { findSdkSetup, parseHarness } from "./sdk-setup.ts";

/** What the program serves, and for whom. */
export type WorkspaceOptions = {
  readonly port: number;
  /** The name that a TLS proxy passes requests on with; undefined when it uses the address on this machine. */
  readonly publicHost: string | undefined;
  /** Absolute. */
  readonly dir: string;
  readonly token: string;
  /** How the vendor's agent SDK is run, with `--harness agent-sdk`. */
  readonly sdk: SdkSetup | undefined;
};

const USAGE = "Options: --port N, --public-host NAME, --token-file FILE, --harness NAME.";

/** 256 bits in base64url are 43 characters; 32 of them still cannot be guessed. */
const MIN_TOKEN_CHARACTERS = 32;

const FLAGS = {
  port: { type: "string", default: "8790" },
  "public-host": { type: "string" },
  "token-file": { type: "string" },
  harness: { type: "string", default: "anthropic" },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads options, `AGENT_WORKSPACE_DIR` and the token: from `--token-file`, otherwise from `WORKSPACE_TOKEN`.
 *
 * @throws {StartRefusal} naming what is missing or unusable, with exit code 2 for the command line.
 */
export const parseWorkspaceOptions = (
  args: readonly string[],
  environment: Environment,
  cwd: string,
): WorkspaceOptions => {
  const flags = parseFlags(args);
  return {
    port: parsePort(flags.port),
    publicHost: parseHost(flags["public-host"]),
    dir: requireDirectory(resolve(cwd, environment.AGENT_WORKSPACE_DIR || ".")),
    token: readToken(flags["token-file"], environment, cwd),
    sdk: parseHarness(flags.harness, "--harness") === "agent-sdk" ? findSdkSetup(environment) : undefined,
  };
};

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false }).values;
  } catch {
    // Node's own message would repeat the argument, which may be a token given by mistake.
    throw new StartRefusal(`The command line was not understood. ${USAGE}`, 2);
  }
};

const parsePort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new StartRefusal("--port: use a number from 1 to 65535.", 2);
  return port;
};

const parseHost = (name: string | undefined): string | undefined => {
  if (name === undefined || /^[a-z0-9.-]+(:\d{1,5})?$/.test(name)) return name;
  throw new StartRefusal("--public-host: give a host name alone, in lower case, such as files.example.com.", 2);
};

/** Refuses the server's own files: it loads parts of its source late, so a rule for edits there would decide what it runs (api.md §4). */
const requireDirectory = (path: string): string => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StartRefusal(`AGENT_WORKSPACE_DIR: ${path} is not a directory. Create it, or name another.`);
  }
  if (!holdsRunningCode(path)) return path;
  throw new StartRefusal(
    `AGENT_WORKSPACE_DIR: ${path} holds, or is inside, files this server runs from. Name another directory.`,
  );
};

const readToken = (file: string | undefined, environment: Environment, cwd: string): string => {
  const name = file === undefined ? "WORKSPACE_TOKEN" : "--token-file";
  const token = (file === undefined ? (environment.WORKSPACE_TOKEN ?? "") : readTokenFile(resolve(cwd, file))).trim();
  if (token === "")
    throw new StartRefusal(`${name} is empty. Put a token there, for example from: openssl rand -base64 32`);
  if (token.length < MIN_TOKEN_CHARACTERS) {
    throw new StartRefusal(`${name}: the token is shorter than ${MIN_TOKEN_CHARACTERS} characters. Make a longer one.`);
  }
  if (!/^[!-~]+$/.test(token))
    throw new StartRefusal(`${name}: the token must consist of ASCII characters without spaces.`);
  return token;
};

const readTokenFile = (path: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw new StartRefusal(`--token-file: there is no file ${path}.`);
  if ((stats.mode & 0o077) !== 0) {
    throw new StartRefusal(
      `--token-file: other users can read ${path}. Run: chmod 600 ${path} (or, where that changes nothing, as on a drive of Windows, give the token as WORKSPACE_TOKEN)`,
    );
  }
  return readFileSync(path, "utf8");
};
