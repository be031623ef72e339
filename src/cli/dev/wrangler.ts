/** Runs wrangler in its own process group, without prompts and without telemetry, and relays what a person should see of its output. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import * as z from "zod";
import { endProcessGroup } from "../../process/process-group.ts";
import { COMPILE_CACHE_DIR, PACKAGES_DIR, PROJECT_DIR } from "../../process/project.ts";

const WRANGLER = join(PACKAGES_DIR, "wrangler/bin/wrangler.js");

const KEEPER = join(import.meta.dirname, "wrangler-keeper.ts");

const QUIET = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_WRITE_LOGS: "false",
  // The banner asks the registry for newer versions.
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
  // `request.cf` would be fetched from the internet at each start; the app does not read it.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  // Would write a trace of every request into a database next to ours, which takes longer than most requests.
  X_LOCAL_OBSERVABILITY: "false",
  // Would let any page of a `localhost` origin read and write D1 and every object's rows, signed in or not.
  X_LOCAL_EXPLORER: "false",
  // A developer who sets these for another project would hand the shell's whole environment to the Worker, or none of our variables.
  CLOUDFLARE_INCLUDE_PROCESS_ENV: "false",
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "true",
  // Wrangler is 10 MB of JavaScript: compiled once, it starts a fifth sooner.
  NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
  // For esbuild, which collects no garbage otherwise: it keeps 300 MB after the first build. What it needs is some 100 MB.
  GOMEMLIMIT: "200MiB",
} as const;

const Workerd = z.object({ default: z.string() });

/**
 * The path of the runtime, as miniflare finds it. npm's own name for it, `workerd/bin/workerd`, stays a script of Node where the package's
 * install script did not run. That script passes on only three descriptors, and miniflare would wait for the fourth.
 */
export const workerdProgram = (): string => {
  const requireBesideMiniflare = createRequire(createRequire(WRANGLER).resolve("miniflare"));
  return Workerd.parse(requireBesideMiniflare("workerd")).default;
};

/**
 * Keeps wrangler and its runtime from opening inspectors. Wrangler's reads and keeps every log line, at 2 ms of CPU each, on a port that
 * nobody knows. If `VSCODE_INSPECTOR_OPTIONS` is set, even to nothing, as by a debugger's terminal, it is left alone, and both are opened.
 */
const noInspector = () => ({
  VSCODE_INSPECTOR_OPTIONS: "{}",
  // The runtime has an inspector of its own, on a port of 127.0.0.1 that answers any page's WebSocket.
  MINIFLARE_WORKERD_PATH: join(import.meta.dirname, "workerd-without-inspector.sh"),
  TALLY_WORKERD: workerdProgram(),
});

/** A running wrangler. */
type Wrangler = {
  /** A separate group, so that a signal from the terminal reaches it only through us, and ending it ends workerd too. */
  readonly groupId: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its exit code, or `null` after a signal. */
  readonly ended: Promise<number | null>;
};

/** `persistTo` is where its dev command keeps its data; `env` is added to this process's. */
type WranglerOptions = { readonly persistTo?: string; readonly env?: Readonly<Record<string, string>> };

/**
 * Starts `wrangler <args>` in the project's directory, without input. It ends when this process does, in whatever way, together
 * with everything else that the dev command on `persistTo` has started.
 */
export const startWrangler = (args: readonly string[], { persistTo = "", env }: WranglerOptions = {}): Wrangler => {
  const child = spawn(process.execPath, [KEEPER, persistTo, WRANGLER, ...args], {
    cwd: PROJECT_DIR,
    detached: true,
    env: { ...(process.env.VSCODE_INSPECTOR_OPTIONS === undefined && noInspector()), ...process.env, ...env, ...QUIET },
    // By its input the keeper notices that this process is gone; the input stays open as long as this process lives.
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (child.pid === undefined) throw new Error(`${process.execPath} could not be started.`);
  // "exit", not "close": workerd holds the pipes and outlives a keeper that was killed.
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { groupId: child.pid, stdout: child.stdout, stderr: child.stderr, ended };
};

/** How a command ended. `output` is for people; an answer as JSON is on `stdout`, where no warning comes between. */
type WranglerEnd = { readonly exitCode: number | null; readonly output: string; readonly stdout: string };

/**
 * Runs `wrangler <args>` and captures what it prints, both streams together and standard output by itself. With `relay`, it is also
 * printed as it arrives. Ends wrangler early when `signal` aborts.
 */
export const runWrangler = async (
  args: readonly string[],
  { relay, signal }: { readonly relay: boolean; readonly signal: AbortSignal },
): Promise<WranglerEnd> => {
  const wrangler = startWrangler(args);
  const end = () => void endProcessGroup(wrangler.groupId);
  signal.addEventListener("abort", end, { once: true });
  let [output, stdout] = ["", ""];
  const read = async (stream: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of stream) {
      output += chunk.toString();
      if (stream === wrangler.stdout) stdout += chunk.toString();
      if (relay) process.stdout.write(chunk);
    }
  };
  const [exitCode] = await Promise.all([wrangler.ended, read(wrangler.stdout), read(wrangler.stderr)]);
  signal.removeEventListener("abort", end);
  return { exitCode, output, stdout };
};

/** The request log (`[wrangler:info] GET / 200 OK`) and the news of reloads (`⎔ …`). */
const CHATTER = /^(\[wrangler:info\]|⎔) /;

/** Of no use here: the dev command runs the cron itself (`cron-clock.ts`). */
const CRON_NOTE = /Scheduled Workers are not automatically triggered/;

/**
 * What workerd logs when somebody closes a page while a response is streaming to it
 * (https://github.com/cloudflare/workers-sdk/issues/11071). An unhandled rejection would read `Uncaught (in promise)`.
 */
const READER_LEFT = /Uncaught Error: Network connection lost\./;

/** Lines that continue a warning or an error of wrangler. */
const GOES_ON = /^( {2}|$)/;

/** Standard output of wrangler: held back while it starts, relayed line by line from then on. */
export type OutputRelay = {
  /** Drops what was held back: bindings and addresses, which are of no use once the start has worked. */
  startRelaying(): void;
  /** What was held back, for a start that failed. */
  held(): string;
  /** Drops further output: a process group that is being ended complains about its own members. */
  stopRelaying(): void;
};

/**
 * Relays both streams to this process's: errors and warnings except two, and what the Worker logs; not wrangler's own chatter.
 * Standard error is relayed at once, because warnings and errors are on it.
 */
export const relayOutput = (from: { stdout: Readable; stderr: Readable }): OutputRelay => {
  const heldLines: string[] = [];
  let isHolding = true;
  createInterface(from.stdout).on("line", (line) => {
    if (isHolding) heldLines.push(line);
    else if (!CHATTER.test(line)) process.stdout.write(`${line}\n`);
  });
  let isDropping = false;
  let isStopped = false;
  createInterface(from.stderr).on("line", (line) => {
    isDropping = CRON_NOTE.test(line) || READER_LEFT.test(line) || (isDropping && GOES_ON.test(line));
    if (!isDropping && !isStopped) process.stderr.write(`${line}\n`);
  });
  return {
    startRelaying: () => {
      isHolding = false;
      heldLines.length = 0;
    },
    held: () => heldLines.map((line) => `${line}\n`).join(""),
    stopRelaying: () => {
      isHolding = true;
      isStopped = true;
    },
  };
};
