/** Wrangler's dev server, from its start to its end. */
import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { FRONT_HEADER } from "../../contract/local/front-header.ts";
import { findFreePort } from "../../process/port.ts";
import { endProcessGroup } from "../../process/process-group.ts";
import { PROJECT_DIR } from "../../process/project.ts";
import { StartRefusal } from "../../process/run-program.ts";
import { putInExampleList } from "../demo/put-in-example-list.ts";
import { startFront } from "../front/front.ts";
import { runCronEachMinute } from "./cron-clock.ts";
import type { DevOptions } from "./dev-options.ts";
import type { DevVariables } from "./dev-variables.ts";
import { writeDevRecord } from "./leftovers.ts";
import { migrationsIn } from "./migrations.ts";
import { readyLines, waitUntilHealthy } from "./readiness.ts";
import { envFileIn, writeEnvFile } from "./secret-files.ts";
import { relayOutput, startWrangler } from "./wrangler.ts";

const NAME = "wrangler.toml";

/** A file that is replaced is gone for a moment: a change of the migrations counts if it is still there after this time. */
const SETTLED_MS = 500;

/**
 * Aborts, with the refusal as its reason, when `wrangler.toml` in `dir` is written (wrangler would read its variables again, from a file that
 * is gone), or a migration is added or removed (the new code would meet the old tables). Watches until `signal` aborts.
 */
export const watchConfiguration = (dir: string, signal: AbortSignal): AbortSignal => {
  const changed = new AbortController();
  const options = { signal, persistent: false } as const;
  const startedAs = writtenAtMs(dir);
  // The whole directory is watched: an editor may replace the file by another one.
  watch(dir, options, (_, name) => {
    if (name === NAME && writtenAtMs(dir) !== startedAs)
      changed.abort(new StartRefusal("wrangler.toml has changed; start again."));
  });
  const migrations = join(dir, "migrations");
  const names = () => (existsSync(migrations) ? migrationsIn(migrations).join() : undefined);
  const started = names();
  const look = () => {
    if (names() !== started) changed.abort(new StartRefusal("The migrations have changed; start again."));
  };
  watch(migrations, options, () => setTimeout(look, SETTLED_MS).unref());
  return changed.signal;
};

const writtenAtMs = (dir: string): number | undefined => statSync(join(dir, NAME), { throwIfNoEntry: false })?.mtimeMs;

/** How long the first build and start may take, in ms. A cold laptop needs about 10 s. */
const START_TIMEOUT_MS = 90_000;

/** Length of the listener's secret. */
const SECRET_BYTES = 32;

/**
 * Serves until `signal` aborts, and leaves neither a process nor the file with the secrets behind.
 *
 * @throws {StartRefusal} when the app does not come up, or when wrangler ends by itself.
 */
export const serve = async (options: DevOptions, variables: DevVariables, signal: AbortSignal): Promise<void> => {
  const envFile = envFileIn(options.persistTo);
  const inner = { port: await findFreePort(options.port), secret: randomBytes(SECRET_BYTES).toString("base64url") };
  const front = await startFront(options.port, inner);
  writeEnvFile(envFile, { ...variables.values, FRONT_SECRET: inner.secret });
  const flags = wranglerFlags(inner.port, options.persistTo, envFile);
  const wrangler = startWrangler(["dev", ...flags], { persistTo: options.persistTo });
  writeDevRecord(options.persistTo, { devPid: process.pid, wranglerGroupId: wrangler.groupId });
  const output = relayOutput(wrangler);
  const wranglerEnd = new AbortController();
  void wrangler.ended.then(() => wranglerEnd.abort());
  const end = AbortSignal.any([signal, wranglerEnd.signal]);
  try {
    const startEnd = AbortSignal.any([end, AbortSignal.timeout(START_TIMEOUT_MS)]);
    const isReady = await waitUntilHealthy(inner.port, startEnd, { [FRONT_HEADER]: inner.secret });
    if (signal.aborted) return output.stopRelaying();
    if (!isReady) throw new StartRefusal(`${output.held()}${whyNotReady(wranglerEnd.signal)}`);
    if (options.demo && !options.auth) await putInExampleList(inner, options.persistTo, startEnd);
    // From now on no command of the agent can read the keys in it.
    rmSync(envFile);
    const change = watchConfiguration(PROJECT_DIR, end);
    output.startRelaying();
    front.open();
    void runCronEachMinute({ ...inner, onAnswer: front.passedBy }, end);
    process.stdout.write(readyLines(options, variables));
    await aborted(AbortSignal.any([end, change]));
    if (wranglerEnd.signal.aborted && !signal.aborted)
      throw new StartRefusal("wrangler ended unexpectedly; start again.");
    output.stopRelaying();
    if (!signal.aborted) change.throwIfAborted();
  } finally {
    await front.close();
    await endProcessGroup(wrangler.groupId);
    rmSync(envFile, { force: true });
  }
};

const wranglerFlags = (port: number, persistTo: string, envFile: string): string[] => [
  "--local",
  ...["--ip", "127.0.0.1"],
  ...["--port", String(port)],
  // 0: any free one. The default, 9229, would keep a second project from starting.
  ...["--inspector-port", "0"],
  ...["--persist-to", persistTo],
  ...["--env-file", envFile],
  "--show-interactive-dev-session=false",
];

const whyNotReady = (wranglerEnd: AbortSignal): string =>
  wranglerEnd.aborted
    ? "wrangler could not start; its output is above."
    : `The app did not answer within ${START_TIMEOUT_MS / 1_000} s; wrangler's output is above.`;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
