/** Starts the product with faults under wrangler, with a model server and a real directory. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntilHealthy } from "../../../src/cli/dev/readiness.ts";
import { writeEnvFile } from "../../../src/cli/dev/secret-files.ts";
import { runWrangler, startWrangler } from "../../../src/cli/dev/wrangler.ts";
import { findFreePort } from "../../../src/process/port.ts";
import { endProcessGroup } from "../../../src/process/process-group.ts";
import { startWorkspaceServer } from "../../../src/workspace-server/workspace-server.ts";
import type { Stops } from "../../bench/stops.ts";
import { type PlayingModel, startPlayingModel } from "../world/playing-model.ts";
import { Pulse } from "../world/pulse.ts";

const START_TIMEOUT_MS = 90_000;
const CONFIG = join(import.meta.dirname, "wrangler.toml");

/** A product with faults that runs. */
export type FaultStage = {
  readonly url: string;
  readonly model: PlayingModel;
  readonly workspaceDir: string;
  pulse: Pulse;
  output(): string;
  stop(): Promise<void>;
};

/** Where the real directory is served, and its end. */
export type ServedDirectory = { readonly url: string; readonly token: string; close(): Promise<void> };

/** `serve` serves the workspace, with its records in `stateDir`; by default within this process. `env` goes to wrangler. */
export const startStage = async (
  stops: Stops,
  serve: (dir: string, stateDir: string) => Promise<ServedDirectory> = startWorkspaceServer,
  env: Readonly<Record<string, string>> = {},
): Promise<FaultStage> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-faults-"));
  const workspaceDir = join(dir, "workspace");
  const stateDir = join(dir, "state");
  for (const made of [workspaceDir, stateDir]) await mkdir(made);
  const workspace = await serve(workspaceDir, stateDir);
  const model = await startPlayingModel(() => stage.pulse.beat("requests"));
  const place = ["--config", CONFIG, "--local", "--persist-to", stateDir];
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  const migrated = await runWrangler(["d1", "migrations", "apply", "DB", ...place], { relay: false, signal });
  if (migrated.exitCode !== 0) throw new Error(`The migrations failed:\n${migrated.output}`);
  const envFile = join(dir, "stage.env");
  writeEnvFile(envFile, {
    ANTHROPIC_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: model.url,
    AUTH_DISABLED: "true",
    RATE_LIMITS_DISABLED: "true",
    WORKSPACE_URL: workspace.url,
    WORKSPACE_TOKEN: workspace.token,
    AGENT_WORKSPACE_DIR: workspaceDir,
  });
  const port = await findFreePort();
  const args = [
    ...["dev", ...place, "--env-file", envFile, "--ip", "127.0.0.1", "--port", String(port)],
    ...["--inspector-port", "0", "--show-interactive-dev-session=false"],
  ];
  const wrangler = startWrangler(args, { env });
  let output = "";
  for (const stream of [wrangler.stdout, wrangler.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  let stopping: Promise<void> | undefined;
  const end = async () => {
    await endProcessGroup(wrangler.groupId);
    await model.close();
    await workspace.close();
    await rm(dir, { recursive: true, force: true });
  };
  const stop = () => {
    stopping ??= end();
    return stopping;
  };
  const url = `http://127.0.0.1:${port}`;
  const stage: FaultStage = { url, model, workspaceDir, pulse: new Pulse(), output: () => output, stop };
  stops.add(stop);
  if (!(await waitUntilHealthy(port, signal))) throw new Error(`The stage did not start:\n${output}`);
  return stage;
};
