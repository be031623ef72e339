/**
 * The host of the workspace freezes before a turn and never recovers, like one that has run out of memory: it accepts connections
 * and answers none. Calls fail in time, and the run continues, as does the one behind it.
 */
import { say } from "../../support/model-script.ts";
import type { ClassInput, FaultClass, Verdict } from "../fault-class.ts";
import { logProblems } from "../invariants/log-problems.ts";
import { randomOf } from "../random.ts";
import { callStep } from "../scenarios/calls.ts";
import { callsOf, type Plan } from "../scenarios/scenario.ts";
import { type FaultStage, startStage } from "../stage/start-stage.ts";
import { MortalWorkspace } from "../workspace/mortal-workspace.ts";
import { playCase } from "../world/play-case.ts";

/** A call may take a minute; the rest gets another minute. */
const PATIENCE_MS = 120_000;

/** Calls that need the workspace: a read, and those that must first say what they would change. */
const CALLS = [
  { name: "read_file", input: { path: "a.txt" } },
  { name: "write_file", input: { path: "b.txt", content: "b" } },
  { name: "run_shell", input: { command: "true" } },
] as const;

const hungPlan = (id: string, call: (typeof CALLS)[number]): Plan => ({
  name: call.name,
  turns: [
    { text: "Call", steps: [callStep(id, 1, [call]), () => say("Over.")] },
    { text: "Wait", steps: [() => say("Mine.")] },
  ],
  mayEnd: ["completed"],
  problems: async ([turn]) =>
    callsOf(turn?.events ?? [], call.name)
      .filter(({ status }) => status !== "failed")
      .map(({ status }) => `a call that nobody answered ended ${status}`),
});

const playSeed = async (seed: number, stage: FaultStage, workspace: MortalWorkspace): Promise<Verdict> => {
  const plans = CALLS.map((call, nth) => hungPlan(`${seed}H${nth}`, call));
  const moment = { at: "ms", count: randomOf(seed).int(0, 200), thenMs: 0 } as const;
  // The fault is there before the turns, so nothing is left to do at its moment.
  const fault = async () => undefined;
  workspace.stand();
  try {
    const problems = await playCase(stage, { id: `${seed}H`, plans, moment, fault, patienceMs: PATIENCE_MS });
    const label = `never answered: ${plans.map(({ name }) => name).join("; ")}`;
    return { seed, label, tried: 1, problems: [...problems, ...logProblems(stage.output())], log: stage.output() };
  } finally {
    workspace.goOn();
  }
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
export const hangClass: FaultClass = {
  name: "hang",
  about: "the workspace's host stands still and answers nothing",
  ownCases: 3,
  caseSeconds: 75,
  run,
};
