/** The disk under all storage is full for some seconds in mid-turn: runs end clearly or go on, and nothing is half written. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { describeMoment, drawMoment } from "../kill/moment.ts";
import { randomOf } from "../random.ts";
import { commands, writes } from "../scenarios/files.ts";
import { queue, stopped } from "../scenarios/order.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { additions } from "../scenarios/stocks.ts";
import { burst, speech, thought } from "../scenarios/talk.ts";
import { type DevWorld, startDevWorld } from "../world/dev-world.ts";
import { playCase } from "../world/play-case.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const THREADS = 4;
const PATIENCE_MS = 120_000;
const MAX_FULL_MS = 4_000;

/** Their effects are held against what the transcript says: a run may fail. */
const SCENARIOS: readonly Scenario[] = [additions, commands, writes, queue, stopped, burst, speech, thought];

const playSeed = async (seed: number, world: DevWorld, disk: SmallDisk): Promise<Verdict> => {
  const random = randomOf(seed);
  const moment = drawMoment(random);
  const fullMs = random.int(200, MAX_FULL_MS);
  const plans = Array.from({ length: THREADS }, (_, thread) => {
    const plan = random.pick(SCENARIOS)(`${seed}D${thread}`, random);
    return { ...plan, mayEnd: [...plan.mayEnd, "failed"] };
  });
  const fault = async () => {
    disk.fill();
    await delay(fullMs);
    disk.free();
  };
  const problems = await playCase(world, {
    id: `${seed}D`,
    plans,
    moment,
    fault,
    patienceMs: PATIENCE_MS,
    mayAnswer500: true,
  });
  const label = `full for ${fullMs} ms ${describeMoment(moment)}, [${plans.map(({ name }) => name).join("; ")}]`;
  return { seed, label, tried: 1, problems, log: world.victim.output() };
};

async function* run({ seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  const disk = await mountSmallDisk();
  stops.add(() => disk.unmount());
  let world: DevWorld | undefined;
  for (const seed of seeds) {
    world ??= await startDevWorld(stops, { stateDir: join(disk.dir, `state-${seed}`) });
    const verdict = await playSeed(seed, world, disk);
    yield verdict;
    if (verdict.problems.length === 0) continue;
    await world.stop();
    world = undefined;
  }
  await world?.stop();
}

/** The class. */
export const storageClass: FaultClass = {
  name: "storage",
  about: "the disk under all storage is full for some seconds",
  ownCases: 30,
  caseSeconds: 8,
  run,
};
