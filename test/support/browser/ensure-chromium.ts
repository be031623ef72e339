/** A Chromium for the screen tests: the installed one, or else one that is installed now, with the output shown. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findChromium, USUAL_PLACES } from "./find-chromium.ts";
import { type InstallWay, installWays } from "./install-ways.ts";

/** Longest time one command may take, in ms: some 150 MB over a slow line. */
const COMMAND_TIMEOUT_MS = 300_000;

const REMEDY =
  "No Chromium for the screen tests, and none could be installed. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.";

/** Path of a Chromium in one of these places that runs. @throws {Error} that says what to do when none is there and none can be installed. */
export const ensureChromium = (places: readonly string[] = USUAL_PLACES): string => {
  const found = findChromium(process.env.CHROMIUM_PATH, places);
  if (found !== undefined) return found;
  const machine = { isRoot: process.getuid?.() === 0, hasApt: existsSync("/usr/bin/apt-get") };
  for (const way of installWays(machine)) {
    run(way);
    const installed = findChromium(undefined, places);
    if (installed !== undefined) return installed;
  }
  throw new Error(REMEDY);
};

/** Output goes to standard error: standard output ends with the counts of the tests. */
const run = ({ title, commands }: InstallWay): void => {
  process.stderr.write(`No Chromium here: trying ${title}.\n`);
  for (const [command, ...args] of commands) {
    const { error, status } = spawnSync(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", 2, 2],
      timeout: COMMAND_TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    if (status !== 0)
      process.stderr.write(`${command} ${args.join(" ")}: ${error?.message ?? `exit code ${status}`}\n`);
  }
};
