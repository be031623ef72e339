/** Wrangler's dev server, from its start over "Ready" to its end. */
import { rmSync } from "node:fs";
import type { DevOptions } from "./dev-options.ts";
import { removeDevRecord, writeDevRecord } from "./dev-record.ts";
import type { DevVariables } from "./dev-variables.ts";
import { envFileIn, writeEnvFile } from "./env-file.ts";
import { endProcessGroup } from "./process-group.ts";
import { waitUntilHealthy } from "./readiness.ts";
import { readyLines } from "./ready-lines.ts";
import { StartRefusal } from "./start-refusal.ts";
import { startWrangler } from "./wrangler.ts";
import { relayOutput } from "./wrangler-output.ts";

/** How long the first build and start may take, in ms. A cold laptop needs about 10 s. */
const START_TIMEOUT_MS = 90_000;

/**
 * Serves until `signal` aborts, and leaves neither a process nor the file with the secrets behind.
 *
 * @throws {StartRefusal} when the app does not come up, or when wrangler ends by itself.
 */
export const serve = async (options: DevOptions, variables: DevVariables, signal: AbortSignal): Promise<void> => {
  const envFile = envFileIn(options.persistTo);
  writeEnvFile(envFile, variables.values);
  const wrangler = startWrangler(["dev", ...wranglerFlags(options, envFile)], options.persistTo);
  writeDevRecord(options.persistTo, { devPid: process.pid, wranglerGroupId: wrangler.groupId });
  const output = relayOutput(wrangler);
  const wranglerEnd = new AbortController();
  void wrangler.ended.then(() => wranglerEnd.abort());
  const end = AbortSignal.any([signal, wranglerEnd.signal]);
  try {
    const isReady = await waitUntilHealthy(options.port, AbortSignal.any([end, AbortSignal.timeout(START_TIMEOUT_MS)]));
    if (isReady) {
      output.startRelaying();
      process.stdout.write(readyLines(options, variables));
      await aborted(end);
    }
    if (signal.aborted) output.stopRelaying();
    else throw new StartRefusal(`${output.held()}${failure(isReady, wranglerEnd.signal.aborted)}`);
  } finally {
    await endProcessGroup(wrangler.groupId);
    rmSync(envFile, { force: true });
    removeDevRecord(options.persistTo);
  }
};

const wranglerFlags = (options: DevOptions, envFile: string): string[] => [
  "--local",
  ...["--ip", "127.0.0.1"],
  ...["--port", String(options.port)],
  // 0: any free one. The default, 9229, would keep a second project from starting.
  ...["--inspector-port", "0"],
  ...["--persist-to", options.persistTo],
  ...["--env-file", envFile],
  "--show-interactive-dev-session=false",
];

const failure = (wasReady: boolean, hasEnded: boolean): string => {
  if (!hasEnded) return `The app did not answer within ${START_TIMEOUT_MS / 1_000} s; wrangler's output is above.`;
  return wasReady ? "wrangler has ended by itself; start again." : "wrangler could not start; its output is above.";
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
