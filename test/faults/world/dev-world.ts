/** The dev command with a model server and an empty real directory, all of it gone again at the end. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stops } from "../../bench/stops.ts";
import type { RuleName } from "../../support/model-server/rules/rule.ts";
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

/** How it is started. */
type DevWorldOptions = {
  /** Where the product stores everything; a fresh directory by default. */
  readonly stateDir?: string;
  /** For the dev command. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Of the model. */
  readonly rulesOff?: ReadonlySet<RuleName>;
};

/** Starts it. */
export const startDevWorld = async (stops: Stops, options: DevWorldOptions = {}): Promise<DevWorld> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-faults-"));
  const workspaceDir = join(dir, "workspace");
  await mkdir(workspaceDir);
  const model = await startPlayingModel(() => world.pulse.beat("requests"), options.rulesOff);
  const env = {
    ANTHROPIC_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: model.url,
    AGENT_WORKSPACE_DIR: workspaceDir,
    ...options.env,
  };
  const victim = await Victim.create(options.stateDir ?? join(dir, "state"), env, options.args);
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
