/** The calendar clock jumps in mid-turn, forward and back: runs neither hang nor end twice, whatever their times say. */
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { logProblems } from "../invariants/log-problems.ts";
import { describeMoment, drawMoment } from "../kill/moment.ts";
import { type Random, randomOf } from "../random.ts";
import { commands, reads } from "../scenarios/files.ts";
import { queue, stopped } from "../scenarios/order.ts";
import type { Plan, Scenario } from "../scenarios/scenario.ts";
import { additions, patience, standingRule } from "../scenarios/stocks.ts";
import { speech, stumbling, thought } from "../scenarios/talk.ts";
import { type DevWorld, startDevWorld } from "../world/dev-world.ts";
import { playCase } from "../world/play-case.ts";
import { createJumpingClock, type JumpingClock } from "./jumping-clock.ts";

const THREADS = 4;

/** Whatever makes no progress for a minute after a jump counts as hanging. */
const PATIENCE_MS = 75_000;

const MINUTE = 60_000;

/** Jumps, in ms. A run may be open for 30 minutes, a request for a day. */
const JUMPS = [-25 * 60, -60, -10, -1, 1, 10, 60, 25 * 60].map((minutes) => minutes * MINUTE);

const MAX_RUNNING_MS = 30 * MINUTE;

/** Their effects are held against what the transcript says, so that they may also end early. */
const SCENARIOS: readonly Scenario[] = [
  ...[speech, thought, stumbling, additions, standingRule],
  ...[patience, reads, commands, stopped, queue],
];

/** A jump beyond the limits ends a run as expired, and a request as rejected; that is what the limits say. */
const EXPIRING: readonly Scenario[] = [speech, thought, stumbling, additions, commands, stopped];

/**
 * Nothing that waits for a timer or an alarm: workerd's go by the calendar clock too, and one that was set before the clock
 * went back rings only when it has caught up. So does the run behind it, and nothing that runs in there could know.
 */
const WITHOUT_TIMERS = SCENARIOS.filter((scenario) => scenario !== stumbling && scenario !== queue);

const drawPlans = (seed: number, jumpMs: number, random: Random): Plan[] =>
  Array.from({ length: THREADS }, (_, thread) => {
    const expires = jumpMs >= MAX_RUNNING_MS;
    const scenarios = expires ? EXPIRING : jumpMs < 0 ? WITHOUT_TIMERS : SCENARIOS;
    const plan = random.pick(scenarios)(`${seed}C${thread}`, random);
    return { ...plan, clockJumps: true, mayEnd: expires ? [...plan.mayEnd, "failed"] : plan.mayEnd };
  });

const playSeed = async (seed: number, world: DevWorld, clock: JumpingClock): Promise<Verdict> => {
  const random = randomOf(seed);
  const jumpMs = random.pick(JUMPS);
  const moment = drawMoment(random);
  const plans = drawPlans(seed, jumpMs, random);
  const fault = async () => clock.jump(jumpMs);
  const problems = await playCase(world, { id: `${seed}C`, plans, moment, fault, patienceMs: PATIENCE_MS });
  const label = `${jumpMs / MINUTE} min ${describeMoment(moment)}, [${plans.map(({ name }) => name).join("; ")}]`;
  return {
    seed,
    label,
    tried: 1,
    problems: [...problems, ...logProblems(world.victim.output())],
    log: world.victim.output(),
  };
};

async function* run({ seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  const clock = await createJumpingClock();
  let world: DevWorld | undefined;
  for (const seed of seeds) {
    world ??= await startDevWorld(stops, { env: clock.env });
    const verdict = await playSeed(seed, world, clock);
    yield verdict;
    if (verdict.problems.length === 0) continue;
    // A fresh start: what hangs must not fail the next case.
    await world.stop();
    world = undefined;
  }
  await world?.stop();
}

/** The class. */
export const clockClass: FaultClass = {
  name: "clock",
  about: "the calendar clock jumps by minutes, an hour, a day, forward and back",
  ownCases: 40,
  caseSeconds: 5,
  run,
};
