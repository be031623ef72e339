/** The host of the workspace dies in mid-turn and comes back: calls say truly what they have done. */
import { setTimeout as delay } from "node:timers/promises";
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { logProblems } from "../invariants/log-problems.ts";
import { describeMoment, drawMoment } from "../kill/moment.ts";
import { randomOf } from "../random.ts";
import { commands, stoppedCommand, writes } from "../scenarios/files.ts";
import { type FaultStage, startStage } from "../stage/start-stage.ts";
import { playCase } from "../world/play-case.ts";
import { MortalWorkspace } from "./mortal-workspace.ts";

const THREADS = 4;
const PATIENCE_MS = 90_000;
const MAX_DOWN_MS = 1_500;

const SCENARIOS = [commands, commands, writes, writes, stoppedCommand];

const playSeed = async (seed: number, stage: FaultStage, workspace: MortalWorkspace): Promise<Verdict> => {
  const random = randomOf(seed);
  const moment = drawMoment(random);
  const downMs = random.int(0, MAX_DOWN_MS);
  const plans = Array.from({ length: THREADS }, (_, thread) => random.pick(SCENARIOS)(`${seed}W${thread}`, random));
  const fault = async () => {
    await workspace.kill();
    await delay(downMs);
    await workspace.start();
  };
  const problems = await playCase(stage, { id: `${seed}W`, plans, moment, fault, patienceMs: PATIENCE_MS });
  const label = `${describeMoment(moment)}, down for ${downMs} ms, [${plans.map(({ name }) => name).join("; ")}]`;
  return { seed, label, tried: 1, problems: [...problems, ...logProblems(stage.output())], log: stage.output() };
};

async function* run({ seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  let workspace: MortalWorkspace | undefined;
  const stage = await startStage(stops, async (dir) => {
    workspace = await MortalWorkspace.start(dir);
    return workspace;
  });
  if (workspace === undefined) throw new Error("The stage serves no workspace.");
  for (const seed of seeds) yield await playSeed(seed, stage, workspace);
  await stage.stop();
}

/** The class. */
export const workspaceClass: FaultClass = {
  name: "workspace",
  about: "kill -9 of the workspace's host, which then comes back",
  ownCases: 60,
  caseSeconds: 5,
  run,
};
