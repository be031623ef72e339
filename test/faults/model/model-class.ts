/** Every misbehaviour of a model provider at every step of a turn, once and each time; many turns side by side. */
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { logProblems } from "../invariants/log-problems.ts";
import { lookAt } from "../invariants/look-at.ts";
import { MIXED_STEPS, mixedPlan } from "../scenarios/mixed.ts";
import { type DevWorld, startDevWorld } from "../world/dev-world.ts";
import { inParallel } from "../world/in-parallel.ts";
import { playThread, type RecordedTurn, type Stage } from "../world/play-thread.ts";
import { Site } from "../world/site.ts";
import { TROUBLES, type Trouble } from "./troubles.ts";

/** Turns at once. */
const AT_ONCE = 12;

/** A minute of silence and then some. */
const PATIENCE_MS = 150_000;

type Case = { readonly trouble: Trouble; readonly step: number; readonly how: "once" | "always" };

/** The seed of a case is its place in this list. */
const CASES: readonly Case[] = TROUBLES.flatMap((trouble) =>
  MIXED_STEPS.flatMap((_, step) =>
    trouble.always === undefined
      ? [{ trouble, step, how: "once" as const }]
      : [
          { trouble, step, how: "once" as const },
          { trouble, step, how: "always" as const },
        ],
  ),
);

const playCase = async (seed: number, world: DevWorld): Promise<Verdict> => {
  const found = CASES[seed];
  if (found === undefined) throw new Error(`There are ${CASES.length} cases.`);
  const { trouble, step, how } = found;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const site = new Site(world.victim.url, signal);
  const stage: Stage = { ...world, site, signal, isBack: Promise.resolve() };
  const mayEnd = trouble[how] ?? [];
  const mixed = mixedPlan(
    `${seed}`,
    (own, at) => (asked) => (at === step && (how === "always" || asked === 1) ? trouble.reply() : own(asked)),
    mayEnd,
  );
  const plan = { ...mixed, mayBeForgotten: trouble.isHuge === true };
  const label = `${trouble.name}, ${how}, behind ${MIXED_STEPS[step]}`;
  try {
    const thread = await playThread(plan, `${seed}`, stage);
    const problems = [
      ...(await lookAt([thread], stage)),
      ...thread.turns.flatMap(codeProblems(trouble)),
      ...site.broken,
    ];
    return { seed, label, tried: 1, problems };
  } catch (error) {
    return { seed, label, tried: 1, problems: [`it was not over in time: ${String(error)}`] };
  }
};

const codeProblems =
  ({ code }: Trouble) =>
  ({ events }: RecordedTurn): string[] => {
    const end = events.at(-1);
    const found = end?.type === "run_end" ? end.error?.code : undefined;
    return found === undefined || found === code ? [] : [`failed as ${found}, not as ${code}`];
  };

async function* run({ seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  const world = await startDevWorld(stops);
  yield* inParallel(seeds, AT_ONCE, (seed) => playCase(seed, world));
  const problems = [...logProblems(world.victim.output()), ...world.model.strays];
  if (problems.length > 0) yield { seed: -1, label: "what the log says of all of them", tried: 0, problems };
  await world.stop();
}

/** The class. */
export const modelClass: FaultClass = {
  name: "model",
  about: "every misbehaviour of the model provider at every step, once and each time",
  ownCases: CASES.length,
  caseSeconds: 1.2,
  run,
};
