/** Turns of the agent SDK, with its own tools: what each call leaves behind says how often it ran. */
import { realpathSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listProcesses } from "../../../src/process/process-group.ts";
import { say } from "../../support/model-script.ts";
import type { Random } from "../random.ts";
import { callStep } from "../scenarios/calls.ts";
import { addProblems, contentOf } from "../scenarios/effects.ts";
import { allowOnce, callsOf, type Plan, type PlayedTurn, type Scenario, type TurnPlan } from "../scenarios/scenario.ts";
import type { Step } from "../world/playing-model.ts";

type Call = Parameters<typeof callStep>[2][number];

/** What a call was for, by a word that only its effect and its input have. */
const Word = /(?:word|edit)\d/;

/** Leaves one line, and takes a while. */
const command = (log: string, word: string, seconds: number): Call => ({
  name: "Bash",
  input: { command: `echo ${word} >> ${log}; sleep ${seconds}; echo printed ${word}`, description: "Leaves a line" },
});

const stock = (symbol: string): Call => ({ name: "mcp__tally__add-stock", input: { symbol } });

/**
 * How often each word is in a file, against how the calls that were to leave it are said to have ended. The scripted model makes a call again
 * that the SDK had not noted when it died, although it is told of it; a person is then asked again.
 */
const effectProblems = (turns: readonly PlayedTurn[], tool: string, content: string): string[] => {
  const calls = turns
    .flatMap(({ events }) => callsOf(events, tool))
    .map(({ input, status }) => ({ status, word: Word.exec(JSON.stringify(input))?.[0] ?? "no word" }));
  return [...Map.groupBy(calls, ({ word }) => word)].flatMap(([word, same]) => {
    const statuses = same.map(({ status }) => status);
    const completed = statuses.filter((status) => status === "completed").length;
    const unknown = statuses.filter((status) => status === "unknown").length;
    const count = content.split(`${word}\n`).length - 1;
    const isTrue = count >= completed && count <= completed + unknown;
    return isTrue ? [] : [`${word} is there ${count} times, its calls of ${tool} ended ${statuses.join()}`];
  });
};

const leftRunning = (log: string): string[] =>
  listProcesses()
    .filter(({ command: line }) => line.includes(log))
    .map(({ command: line }) => `still runs: ${line.slice(0, 200)}`);

/** A plan whose calls leave words in `log-<id>.txt` and `notes-<id>.txt`, and stocks. */
const plan = (
  id: string,
  name: string,
  turnsOf: (paths: { readonly log: string; readonly notes: () => string }) => readonly TurnPlan[],
  mayEnd: readonly string[] = ["completed"],
): Plan => {
  const log = `log-${id}.txt`;
  let dir = "";
  return {
    name,
    prepare: async ({ workspaceDir }) => {
      dir = realpathSync(workspaceDir);
      await writeFile(join(dir, `notes-${id}.txt`), "begin\nend\n");
    },
    turns: turnsOf({ log, notes: () => join(dir, `notes-${id}.txt`) }),
    mayEnd,
    mayBeUnreachable: true,
    // A turn that is stopped before its prompt was sent has told the SDK nothing.
    mayBeForgotten: mayEnd.includes("aborted"),
    problems: async (turns, around) => [
      ...effectProblems(turns, "Bash", (await contentOf(join(dir, log))) ?? ""),
      ...effectProblems(turns, "Edit", (await contentOf(join(dir, `notes-${id}.txt`))) ?? ""),
      ...(await addProblems(`K${id}`)(turns, around)),
      ...leftRunning(log),
    ],
  };
};

const edit = (notes: string, word: string): Call => ({
  name: "Edit",
  input: { file_path: notes, old_string: "end\n", new_string: `${word}\nend\n` },
});

const read = (notes: string): Call => ({ name: "Read", input: { file_path: notes } });

/** A step whose calls name the directory, which is known when the model is asked. */
const lateStep =
  (id: string, step: number, calls: () => readonly Call[]): Step =>
  (asked) =>
    callStep(id, step, calls())(asked);

const seconds = (random: Random): number => random.int(1, 9) / 10;

/** Three commands, one after the other. */
const commands: Scenario = (id, random) =>
  plan(id, "commands", ({ log }) => [
    {
      text: "Run",
      steps: [
        ...[1, 2, 3].map((step) => callStep(id, step, [command(log, `word${step}`, seconds(random))])),
        () => say("Ran."),
      ],
      react: allowOnce,
    },
  ]);

/** A read, then three edits of the same file. */
const edits: Scenario = (id) =>
  plan(id, "edits", ({ notes }) => [
    {
      text: "Edit",
      steps: [
        lateStep(id, 1, () => [read(notes())]),
        ...[2, 3, 4].map((step) => lateStep(id, step, () => [edit(notes(), `edit${step}`)])),
        () => say("Edited."),
      ],
      react: allowOnce,
    },
  ]);

/** All kinds in one message: each asks by itself, and what could not be asked is called again. */
const together: Scenario = (id, random) => {
  return plan(id, "together", ({ log, notes }) => {
    const all = () => [
      ...[edit(notes(), "edit1"), command(log, "word1", seconds(random)), stock(`K${id}A`), edit(notes(), "edit2")],
    ];
    const step = (nth: number, from: number) => lateStep(id, nth, () => all().slice(from));
    return [
      {
        text: "All of it",
        steps: [
          lateStep(id, 1, () => [read(notes()), { name: "mcp__tally__list-stocks", input: {} }]),
          ...[step(2, 0), step(3, 1), step(4, 2), step(5, 3)],
          () => say("Done."),
        ],
        react: allowOnce,
      },
    ];
  });
};

/** The answer comes when everything is back, twice, and then a contradiction. */
const patience: Scenario = (id, random) =>
  plan(id, "patience", ({ log }) => [
    {
      text: "Ask and wait",
      steps: [callStep(id, 1, [command(log, "word1", seconds(random))]), () => say("Ran.")],
      react: (event, person) => {
        if (event.type === "permission_request") person.answerAfterRestart(event, "allow_once");
      },
    },
  ]);

/** Two turns, posted at once: the second one's model remembers the first. */
const queue: Scenario = (id, random) =>
  plan(id, "queue", ({ log }) =>
    [1, 2].map((nth) => ({
      text: `Turn ${nth}`,
      steps: [
        callStep(`${id}_${nth}`, 1, [command(log, `word${nth}`, seconds(random))]),
        () => say("Some words of an answer.", { deltas: 5, delayMs: 20 }),
      ],
      react: allowOnce,
    })),
  );

/** A command of half a minute that a person stops, or the death of everything. */
const stopped: Scenario = (id, random) =>
  plan(
    id,
    "stopped",
    ({ log }) => [
      {
        text: "Run for long",
        steps: [callStep(id, 1, [command(log, "word1", 29 + random.next())]), () => say("It is over.")],
        react: (event, person) => {
          allowOnce(event, person);
          if (event.type === "run_status" && event.status === "running") person.abort();
        },
      },
    ],
    ["completed", "aborted"],
  );

/** In no order. */
export const SDK_SCENARIOS: readonly Scenario[] = [commands, edits, together, together, patience, queue, stopped];
