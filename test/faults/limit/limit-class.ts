/**
 * Something in a run hangs until its 30 minutes are used up: it ends as expired, nothing is done twice, and the turn behind it
 * works. All but the last 45 s of them pass in one jump of the calendar clock.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createJumpingClock, type JumpingClock } from "../clock/jumping-clock.ts";
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { logProblems } from "../invariants/log-problems.ts";
import { type FaultStage, startStage } from "../stage/start-stage.ts";
import { MortalWorkspace } from "../workspace/mortal-workspace.ts";
import { playCase } from "../world/play-case.ts";
import { Site } from "../world/site.ts";
import { HANG_COUNT, type Hangable, hungPlan } from "./hangs.ts";

/**
 * What is left of a run's 30 minutes after the jump: less than the minute that a call to the workspace or the model may take, so
 * that the run's limit comes first, and enough to be hanging by then.
 */
const LEFT_MS = 45_000;
const JUMP_MS = 30 * 60_000 - LEFT_MS;

const PATIENCE_MS = LEFT_MS + 90_000;

/** How long the run may take to its first words. */
const START_MS = 30_000;

const playSeed = async (
  seed: number,
  stage: FaultStage,
  clock: JumpingClock,
  workspace: MortalWorkspace,
): Promise<Verdict> => {
  const running = Promise.withResolvers<void>();
  const plan = (nth: number, how: string) =>
    new Site(stage.url, AbortSignal.timeout(START_MS)).surely("POST", "/_faults", { nth, how });
  const pending: Promise<unknown>[] = [];
  const world: Hangable = {
    standWorkspace: () => workspace.stand(),
    hangD1: (then) => void pending.push(plan(1, "hang").then(then)),
    release: () => {
      workspace.goOn();
      pending.push(plan(0, "before"));
    },
  };
  const hung = hungPlan(seed, `${seed}L`, world, running.resolve);
  const fault = async () => {
    await Promise.race([running.promise, delay(START_MS)]);
    clock.jump(JUMP_MS);
  };
  const moment = { at: "ms", count: 0, thenMs: 0 } as const;
  const problems = await playCase(stage, { id: `${seed}L`, plans: [hung], moment, fault, patienceMs: PATIENCE_MS });
  world.release();
  await Promise.all(pending);
  const log = stage.output();
  return { seed, label: hung.name, tried: 1, problems: [...problems, ...logProblems(log)], log };
};

async function* run({ seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  const clock = await createJumpingClock();
  let workspace: MortalWorkspace | undefined;
  const serve = async (dir: string) => {
    workspace = await MortalWorkspace.start(dir);
    return workspace;
  };
  const stage = await startStage(stops, serve, clock.env);
  if (workspace === undefined) throw new Error("The stage serves no workspace.");
  for (const seed of seeds) yield await playSeed(seed, stage, clock, workspace);
  await stage.stop();
}

/** The class. */
export const limitClass: FaultClass = {
  name: "limit",
  about: "something hangs in a run until its 30 minutes are used up",
  ownCases: HANG_COUNT,
  caseSeconds: 60,
  run,
};
