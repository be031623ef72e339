/** Runs wrangler, without questions, and without a word to anybody that was not asked for, in a process group of its own. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { PACKAGES_DIR, PROJECT_DIR } from "./project.ts";

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
  // Would write a trace of every request into a database beside ours, which takes longer than most requests.
  X_LOCAL_OBSERVABILITY: "false",
  // Would let any page of a `localhost` origin read and write D1 and every object's rows, signed in or not.
  X_LOCAL_EXPLORER: "false",
  // Wrangler is 10 MB of JavaScript: compiled once, it starts a fifth sooner.
  NODE_COMPILE_CACHE: join(PACKAGES_DIR, ".cache/node-compile"),
} as const;

/**
 * Keeps wrangler from opening an inspector, which would read and keep every line of the log, for 2 ms of CPU each, on a port
 * that nobody is told. A debugger's terminal sets it to a value of its own, which stays; an empty one opens the inspector.
 */
const NO_INSPECTOR = { VSCODE_INSPECTOR_OPTIONS: "{}" } as const;

/** A wrangler that was started. */
export type Wrangler = {
  /** Its own group, so that a signal from the terminal reaches it only through us, and ending it ends workerd too. */
  readonly groupId: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its exit code, or `null` after a signal. */
  readonly ended: Promise<number | null>;
};

/**
 * Starts `wrangler <args>` in the project's directory, with no input to wait for. It ends when this process does, however
 * that ends, and with it what else the dev command on `persistTo` has started.
 */
export const startWrangler = (args: readonly string[], persistTo = ""): Wrangler => {
  const child = spawn(process.execPath, [KEEPER, persistTo, WRANGLER, ...args], {
    cwd: PROJECT_DIR,
    detached: true,
    env: { ...NO_INSPECTOR, ...process.env, ...QUIET },
    // The keeper's input is how it learns that this process is gone; it stays open for as long as this one lives.
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (child.pid === undefined) throw new Error(`${process.execPath} could not be started.`);
  // "exit", not "close": workerd holds the pipes and outlives a keeper that was killed.
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { groupId: child.pid, stdout: child.stdout, stderr: child.stderr, ended };
};
