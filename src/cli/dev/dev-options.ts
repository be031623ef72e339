/** The command line of `npm run dev`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { HarnessName } from "../../contract/ids.ts";
import { StartRefusal } from "../../process/run-program.ts";
import { parseHarness } from "../sdk-setup.ts";

/** The options of the command line, with defaults applied. */
export type DevOptions = {
  readonly port: number;
  /** Absolute. Contains wrangler's state of D1 and the Durable Objects, and this command's own files. */
  readonly persistTo: string;
  /** Real sign-in instead of the fallback identity `dev@local.test`. */
  readonly auth: boolean;
  readonly rateLimits: boolean;
  /** Whether pages start the app's service worker, which stays in the browser for whatever is on that port later. */
  readonly serviceWorker: boolean;
  /** An example list with prices that are not real. */
  readonly demo: boolean;
  /** Whether the agent works in a real directory; otherwise in the durable workspace. */
  readonly hostWorkspace: boolean;
  /** Undefined: `AGENT_HARNESS` decides. */
  readonly harness: HarnessName | undefined;
};

const USAGE =
  "Options: --port N, --persist-to DIR, --demo, --auth, --rate-limits, --service-worker, --no-host-workspace, --harness NAME.";

/** What `--help` prints; README says more about each. */
export const DEV_HELP = `Serves Tally on this machine: npm run dev -- [options]

  --port N              another port than 8787
  --persist-to DIR      where the data is kept; .wrangler/state by default
  --demo                an example list whose prices are made up, kept in .wrangler/demo
  --auth                people sign in, with a code that is printed here
  --rate-limits         counts turns and actions as a deployed Worker does
  --service-worker      an app that opens without a network and receives pushes
  --no-host-workspace   keeps the agent's files in durable storage instead of a directory of yours
  --harness NAME        what drives the model: ${HarnessName.options.join(" or ")}
`;

/** Where data is kept by default; the demo's is apart, so that its prices never reach stocks of the developer's own. */
const STATE = ".wrangler/state";
const DEMO_STATE = ".wrangler/demo";

const FLAGS = {
  port: { type: "string", default: "8787" },
  "persist-to": { type: "string" },
  demo: { type: "boolean", default: false },
  auth: { type: "boolean", default: false },
  "rate-limits": { type: "boolean", default: false },
  "service-worker": { type: "boolean", default: false },
  "no-host-workspace": { type: "boolean", default: false },
  harness: { type: "string" },
} as const;

/** Whether the person asks for `DEV_HELP`. */
export const asksForHelp = (args: readonly string[]): boolean => args.includes("--help") || args.includes("-h");

/**
 * Parses the options; `--persist-to` is relative to `cwd`.
 *
 * @throws {StartRefusal} exit code 2, naming the option that is unknown or has no usable value.
 */
export const parseDevOptions = (args: readonly string[], cwd: string): DevOptions => {
  const flags = parseFlags(args);
  if (flags["persist-to"] === "") throw new StartRefusal("--persist-to: name a directory.", 2);
  return {
    port: parsePort(flags.port),
    persistTo: resolve(cwd, flags["persist-to"] ?? (flags.demo ? DEMO_STATE : STATE)),
    demo: flags.demo,
    auth: flags.auth,
    rateLimits: flags["rate-limits"],
    serviceWorker: flags["service-worker"],
    hostWorkspace: !flags["no-host-workspace"],
    harness: flags.harness === undefined ? undefined : parseHarness(flags.harness, "--harness"),
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
