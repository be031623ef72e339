/** The command line of `npm run dev`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartRefusal } from "./start-refusal.ts";

/** What the command line asks for, defaults applied. */
export type DevOptions = {
  readonly port: number;
  /** Absolute. Wrangler's state of D1 and the Durable Objects, and this command's own two files. */
  readonly persistTo: string;
  /** Real sign-in instead of the fallback identity `dev@local.test`. */
  readonly auth: boolean;
  readonly rateLimits: boolean;
  /** Whether the agent works in a real directory; otherwise in the durable workspace. */
  readonly hostWorkspace: boolean;
};

const USAGE = "Options: --port N, --persist-to DIR, --auth, --rate-limits, --no-host-workspace.";

const FLAGS = {
  port: { type: "string", default: "8787" },
  "persist-to": { type: "string", default: ".wrangler/state" },
  auth: { type: "boolean", default: false },
  "rate-limits": { type: "boolean", default: false },
  "no-host-workspace": { type: "boolean", default: false },
} as const;

/**
 * Reads the options; `--persist-to` counts from `cwd`.
 *
 * @throws {StartRefusal} exit code 2, naming the option that is unknown or has no usable value.
 */
export const parseDevOptions = (args: readonly string[], cwd: string): DevOptions => {
  const flags = parseFlags(args);
  if (flags["persist-to"] === "") throw new StartRefusal("--persist-to: name a directory.", 2);
  return {
    port: parsePort(flags.port),
    persistTo: resolve(cwd, flags["persist-to"]),
    auth: flags.auth,
    rateLimits: flags["rate-limits"],
    hostWorkspace: !flags["no-host-workspace"],
  };
};

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node's message names the option in its first sentence; the rest is advice about positional arguments.
    const [sentence = ""] = (error instanceof Error ? error.message : String(error)).split(/\.(?:\s|$)/, 1);
    throw new StartRefusal(`${sentence}. ${USAGE}`, 2);
  }
};

const parsePort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new StartRefusal(`--port: use a number from 1 to 65535, not "${text}".`, 2);
  return port;
};
