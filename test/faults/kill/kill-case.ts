/** One case of the kill class: threads are played, everything is killed in the middle, started again, and looked at. */
import { logProblems } from "../invariants/log-problems.ts";
import { lookAt } from "../invariants/look-at.ts";
import { type Random, randomOf } from "../random.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import type { DevWorld } from "../world/dev-world.ts";
import { playThread, type Stage } from "../world/play-thread.ts";
import { Pulse } from "../world/pulse.ts";
import { Site } from "../world/site.ts";
import { describeMoment, drawMoment, type Moment, reachMoment } from "./moment.ts";

/** Threads of a case, all at once. */
const THREADS = 5;

/** How long a case may take in all, in ms; what has not ended by then counts as lost. */
const PATIENCE_MS = 150_000;

/** What a case has done. */
export type KillResult = {
  readonly label: string;
  readonly kills: number;
  readonly problems: string[];
  readonly log: string;
};

/** What a seed decides. */
type CasePlan = {
  readonly first: Moment;
  /** Starts after the death are killed as well, one after the other, each after so many ms. */
  readonly startsDieAfterMs: readonly number[];
  /** A second death after the restart. */
  readonly second: Moment | undefined;
};

const drawCase = (random: Random): CasePlan => ({
  first: drawMoment(random),
  startsDieAfterMs: Array.from({ length: random.pick([0, 0, 1, 2, 3]) }, () => random.int(200, 6_000)),
  second: random.chance(0.45) ? { at: "ms", count: random.int(0, 1_500), thenMs: 0 } : undefined,
});

/** Plays the case of a seed on a victim that runs, and leaves it running. Each thread plays one of the scenarios. */
export const playKillCase = async (
  seed: number,
  world: DevWorld,
  scenarios: readonly Scenario[],
): Promise<KillResult> => {
  const random = randomOf(seed);
  const plan = drawCase(random);
  world.model.clear();
  world.pulse = new Pulse();
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const site = new Site(world.victim.url, patience);
  const back = Promise.withResolvers<void>();
  const kills = 1 + plan.startsDieAfterMs.length + Number(plan.second !== undefined);
  const stage: Stage = { ...world, site, signal: patience, isBack: back.promise, kills };
  const ids = Array.from({ length: THREADS }, (_, thread) => `${seed}T${thread}`);
  const plans = ids.map((id) => random.pick(scenarios)(id, random));
  const over = new AbortController();
  const playing = Promise.allSettled(plans.map((thread, at) => playThread(thread, ids[at] ?? "", stage)));
  void playing.then(() => over.abort());

  await reachMoment(plan.first, world.pulse, over.signal);
  await world.victim.kill();
  for (const ms of plan.startsDieAfterMs) await world.victim.startAndKill(ms);
  await world.victim.start();
  if (plan.second !== undefined) {
    await reachMoment(plan.second, world.pulse, patience);
    await world.victim.kill();
    await world.victim.start();
  }
  back.resolve();

  const played = await playing;
  const threads = played.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const lost = played.flatMap((result) => (result.status === "rejected" ? [`a thread failed: ${result.reason}`] : []));
  const outputs = [...world.victim.outputs.splice(0), world.victim.output()];
  const problems = [
    ...lost,
    ...(await lookAt(threads, stage).catch((error: unknown) => [`it cannot be looked at: ${String(error)}`])),
    ...site.broken,
    ...world.model.strays,
    ...outputs.flatMap(logProblems),
  ];
  return {
    label: labelOf(
      plan,
      plans.map(({ name }) => name),
    ),
    kills,
    problems,
    log: outputs.join("\n=== next life ===\n"),
  };
};

const labelOf = ({ first, startsDieAfterMs, second }: CasePlan, names: readonly string[]): string =>
  [
    describeMoment(first),
    ...startsDieAfterMs.map((ms) => `start killed after ${ms} ms`),
    ...(second === undefined ? [] : [`again ${describeMoment(second)} of the restart`]),
    `[${names.join("; ")}]`,
  ].join(", ");
