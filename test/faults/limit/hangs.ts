/** Turns in which something hangs for good: the model, the workspace, a command, D1. */
import { listProcesses } from "../../../src/process/process-group.ts";
import { message, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { callStep } from "../scenarios/calls.ts";
import { commandProblems, stocksNamed, writeProblems } from "../scenarios/effects.ts";
import { allowOnce, callsOf, type Plan, type PlayedTurn, type TurnPlan } from "../scenarios/scenario.ts";
import type { Step } from "../world/playing-model.ts";
import type { Received } from "../world/recording.ts";

/** What can be made to hang. All goes on by `release`. */
export type Hangable = {
  readonly standWorkspace: () => void;
  /** Every call to D1 from now on waits. `then` is called once that is so. */
  readonly hangD1: (then?: () => void) => void;
  readonly release: () => void;
};

/** One hang. `id` is unique, of letters and digits. */
type Hang = (
  id: string,
  world: Hangable,
) => {
  readonly name: string;
  readonly prepare?: () => void;
  /** Where the turn hangs. */
  readonly step: Step;
  readonly react?: TurnPlan["react"];
  readonly problems?: NonNullable<Plan["problems"]>;
};

const statusProblems = (events: readonly Received[], tool: string, may: readonly string[]): string[] =>
  callsOf(events, tool)
    .filter(({ status }) => !may.includes(status))
    .map(({ status }) => `a call of ${tool} ended ${status}`);

const model: Hang = () => ({
  name: "a model that stops in the middle of a text",
  step: () => holdMidStream("Half", ""),
});

const command: Hang = (id) => {
  // Unique among all processes, so that one that is left over is found.
  const seconds = `1799.${Number.parseInt(id, 36)}`;
  return {
    name: "a command that does not end",
    step: callStep(id, 1, [
      { name: "run_shell", input: { command: `echo line1 >> log-${id}.txt; echo begun; sleep ${seconds}` } },
    ]),
    react: allowOnce,
    problems: async ([turn]) => [
      ...statusProblems(turn?.events ?? [], "run_shell", ["failed", "aborted", "unknown"]),
      ...listProcesses()
        .filter((process) => process.command.includes(seconds))
        .map((process) => `still runs: ${process.command}`),
    ],
  };
};

const proposal: Hang = (id, { standWorkspace }) => ({
  name: "a workspace that is asked what a change would do",
  prepare: standWorkspace,
  step: callStep(id, 1, [{ name: "write_file", input: { path: `proposed-${id}/a.txt`, content: "a" } }]),
  problems: async (turns, around) => [
    ...statusProblems(turns[0]?.events ?? [], "write_file", ["aborted"]),
    ...(await writeProblems(`proposed-${id}`)(turns, around)),
  ],
});

const change: Hang = (id, { standWorkspace }) => ({
  name: "a workspace that runs a command",
  step: callStep(id, 1, [{ name: "run_shell", input: { command: `echo line1 >> log-${id}.txt` } }]),
  react: (event, person) => {
    if (event.type === "permission_request") standWorkspace();
    allowOnce(event, person);
  },
  problems: async (turns, around) => [
    ...statusProblems(turns[0]?.events ?? [], "run_shell", ["unknown"]),
    ...(await commandProblems(`log-${id}.txt`)(turns, around)),
  ],
});

/** The model speaks for some seconds first, in which D1 is made to hang. */
const d1Read: Hang = (id, { hangD1 }) => ({
  name: "D1, at a list",
  step: () =>
    message([
      { type: "text", text: "I look into it. ", deltas: 4, delayMs: 1_000 },
      { type: "tool_use", id: `toolu_${id}_1_0`, name: "list-stocks", input: {} },
    ]),
  react: (event) => {
    if (event.type === "text_delta" && !event.text.startsWith("Half")) hangD1();
  },
  problems: async ([turn]) => statusProblems(turn?.events ?? [], "list-stocks", ["aborted"]),
});

/** What was sent to D1 arrives after all when it goes on: every try, under the key of its call. */
const d1Write: Hang = (id, { hangD1 }) => {
  const symbol = `L${id}`;
  return {
    name: "D1, at an addition",
    step: callStep(id, 1, [{ name: "add-stock", input: { symbol } }]),
    react: (event, person) => {
      if (event.type === "permission_request") hangD1(() => person.answer(event, "allow_once"));
    },
    problems: async ([turn], around) => {
      const there = await stocksNamed(symbol, around);
      return [
        ...statusProblems(turn?.events ?? [], "add-stock", ["unknown"]),
        ...(there.length <= 1 && there.every(({ version }) => version === 1) ? [] : [`${symbol} was added twice`]),
      ];
    },
  };
};

/** All of them. */
const HANGS = [model, command, proposal, change, d1Read, d1Write] as const;

/** How many there are. */
export const HANG_COUNT = HANGS.length;

/**
 * The turn that hangs, and one that waits behind it. Its first model call is cut short by the jump of the clock, which `onRun` is
 * told the time for: the jump also ends everything that has a limit of its own, so what hangs must begin after it.
 */
export const hungPlan = (nth: number, id: string, world: Hangable, onRun: () => void): Plan => {
  const hang = HANGS[nth]?.(id, world);
  if (hang === undefined) throw new Error(`There are ${HANG_COUNT} cases.`);
  hang.prepare?.();
  const react: TurnPlan["react"] = (event, person) => {
    hang.react?.(event, person);
    if (event.type === "text_delta") onRun();
    if (event.type === "run_end") world.release();
  };
  return {
    name: hang.name,
    turns: [
      { text: "Hang", steps: [(asked) => (asked === 1 ? holdMidStream("Half", "") : hang.step(asked))], react },
      { text: "Wait", steps: [() => say("Mine.")] },
    ],
    mayEnd: ["failed", "completed"],
    clockJumps: true,
    problems: async (turns, around) => [...endProblems(turns), ...((await hang.problems?.(turns, around)) ?? [])],
  };
};

/** The first has expired, in one attempt; the other had its turn. */
const endProblems = ([hung, next]: readonly PlayedTurn[]): string[] => {
  const ends = [hung, next].map((turn) => turn?.events.at(-1));
  const [first, second] = ends.map((end) => (end?.type === "run_end" ? (end.error?.code ?? end.status) : "open"));
  const attempts = hung?.events.filter(({ type }) => type === "run_start").length;
  return [
    ...(first === "run_expired" ? [] : [`it hung, and ended ${first}`]),
    ...(second === "completed" ? [] : [`the turn behind it ended ${second}`]),
    ...(attempts === 1 ? [] : [`it was begun ${attempts} times`]),
  ];
};
