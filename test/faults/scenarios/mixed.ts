/** A turn that passes every kind of step: it reads, adds a stock, runs a command, and speaks. */
import { say } from "../../support/model-script.ts";
import type { Step } from "../world/playing-model.ts";
import { callStep } from "./calls.ts";
import { addProblems, commandProblems } from "./effects.ts";
import { allowOnce, type Plan } from "./scenario.ts";

/** What its model calls come behind, in order. */
export const MIXED_STEPS = ["the prompt", "a read", "an allowed edit", "a command"] as const;

/** Makes it. `change` may put other replies in the place of its own; `mayEnd` says how it may then end. */
export const mixedPlan = (id: string, change: (step: Step, at: number) => Step, mayEnd: readonly string[]): Plan => {
  const prefix = `K${id}M`;
  const log = `log-${id}.txt`;
  const steps = [
    callStep(id, 1, [{ name: "list-stocks", input: {} }]),
    callStep(id, 2, [{ name: "add-stock", input: { symbol: `${prefix}A` } }], "I add it. "),
    callStep(id, 3, [{ name: "run_shell", input: { command: `echo line1 >> ${log}` } }]),
    () => say("All of it is done.", { deltas: 3 }),
  ];
  return {
    name: "mixed",
    turns: [{ text: "Do it all", steps: steps.map(change), react: allowOnce }],
    mayEnd,
    problems: async (turns, around) => [
      ...(await addProblems(prefix)(turns, around)),
      ...(await commandProblems(log)(turns, around)),
    ],
  };
};
