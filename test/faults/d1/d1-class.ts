/** D1 fails on each call of a turn in turn: before it is run, after it is run, and for five calls in a row. */
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { lookAt } from "../invariants/look-at.ts";
import { type FaultPlan, FaultState } from "../stage/fault-plan.ts";
import { type FaultStage, startStage } from "../stage/start-stage.ts";
import { playThread } from "../world/play-thread.ts";
import { Site } from "../world/site.ts";
import { writePlan } from "./write-plan.ts";

const PATIENCE_MS = 60_000;

const WAYS = ["before", "after", "outage"] as const;

/** Calls to D1 of the two turns that are played, a few more than there are: a case beyond them strikes nothing. */
const MAX_CALLS = 45;

const CASES: readonly FaultPlan[] = Array.from({ length: MAX_CALLS }, (_, at) => at + 1).flatMap((nth) =>
  WAYS.map((how) => ({ nth, how })),
);

const playCase = async (seed: number, stage: FaultStage): Promise<Verdict> => {
  const plan = CASES[seed];
  if (plan === undefined) throw new Error(`There are ${CASES.length} cases.`);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const site = new Site(stage.url, signal);
  const around = { ...stage, site, signal, isBack: Promise.resolve() };
  const thread = writePlan(`${seed}`);
  try {
    await site.surely("POST", "/_faults", plan);
    const played = await playThread(thread, `${seed}`, around);
    const state = await site.read(FaultState, "/_faults");
    await site.surely("POST", "/_faults", { nth: 0, how: "before" });
    const call = state.calls[plan.nth - 1]?.replaceAll(/\s+/g, " ").slice(0, 70) ?? "no such call";
    const label = `call ${plan.nth} (${plan.how}): ${call}`;
    return { seed, label, tried: Math.min(1, state.struck), problems: await lookAt([played], around) };
  } catch (error) {
    return { seed, label: `call ${plan.nth} (${plan.how})`, tried: 1, problems: [`it was not over in time: ${error}`] };
  }
};

async function* run({ seeds, stops }: ClassInput): AsyncGenerator<Verdict> {
  const stage = await startStage(stops);
  // One after the other: the plan counts calls, whoever makes them.
  for (const seed of seeds) {
    const verdict = await playCase(seed, stage);
    // The turns have fewer calls than this.
    if (verdict.tried === 0 && CASES[seed]?.how === "outage") break;
    yield verdict;
  }
  await stage.stop();
}

/** The class. */
export const d1Class: FaultClass = {
  name: "d1",
  about: "D1 fails on each call of a turn in turn: not run, answer lost, five in a row",
  ownCases: CASES.length,
  caseSeconds: 2,
  run,
};
