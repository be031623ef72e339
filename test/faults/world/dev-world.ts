/** The dev command with a model server and an empty real directory, all of it gone again at the end. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stops } from "../../bench/stops.ts";
import { type PlayingModel, startPlayingModel } from "./playing-model.ts";
import { Pulse } from "./pulse.ts";
import { Victim } from "./victim.ts";

/** What the classes that use the dev command work with. */
export type DevWorld = {
  readonly victim: Victim;
  /** The victim's, in all its lives. */
  readonly url: string;
  readonly model: PlayingModel;
  readonly workspaceDir: string;
  /** Called for each model call; a case may replace it. */
  pulse: Pulse;
  readonly stop: () => Promise<void>;
};

/** `stateDir` is where the product stores everything, a fresh directory by default; `env` goes to the dev command. */
type DevWorldOptions = { readonly stateDir?: string; readonly env?: Readonly<Record<string, string>> };

/** Starts it. */
export const startDevWorld = async (stops: Stops, options: DevWorldOptions = {}): Promise<DevWorld> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-faults-"));
  const workspaceDir = join(dir, "workspace");
  await mkdir(workspaceDir);
  const model = await startPlayingModel(() => world.pulse.beat("requests"));
  const victim = await Victim.create(options.stateDir ?? join(dir, "state"), {
    ANTHROPIC_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: model.url,
    AGENT_WORKSPACE_DIR: workspaceDir,
    ...options.env,
  });
  let stopping: Promise<void> | undefined;
  const end = async () => {
    await victim.kill();
    await model.close();
    await rm(dir, { recursive: true, force: true });
  };
  const stop = () => {
    stopping ??= end();
    return stopping;
  };
  const world: DevWorld = { victim, url: victim.url, model, workspaceDir, pulse: new Pulse(), stop };
  stops.add(stop);
  await victim.start();
  return world;
};
