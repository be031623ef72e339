/** Turns that read and change real files, and run real commands. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listProcesses } from "../../../src/process/process-group.ts";
import { say } from "../../support/model-script.ts";
import { callStep } from "./calls.ts";
import { commandProblems, contentOf, writeProblems } from "./effects.ts";
import { allowOnce, callsOf, type Scenario } from "./scenario.ts";

/** Reads in parallel: stocks, screen, a file, a search. */
export const reads: Scenario = (id) => ({
  name: "reads",
  prepare: async ({ workspaceDir }) => await writeFile(join(workspaceDir, `read-${id}.txt`), `needle ${id}\n`),
  turns: [
    {
      text: "Look around",
      steps: [
        callStep(id, 1, [
          { name: "list-stocks", input: {} },
          { name: "view-screen", input: {} },
          { name: "read_file", input: { path: `read-${id}.txt` } },
          { name: "search_files", input: { pattern: `needle ${id}` } },
        ]),
        callStep(id, 2, [{ name: "list_files", input: { path: "." } }]),
        () => say("Seen.", { deltas: 2 }),
      ],
    },
  ],
  mayEnd: ["completed"],
  problems: async (turns) =>
    turns
      .flatMap(({ events }) => ["read_file", "search_files", "list_files"].flatMap((tool) => callsOf(events, tool)))
      .filter(({ status }) => status !== "completed")
      .map(({ status }) => `a read ended ${status}`),
});

/** A file is written, edited twice, and another deleted: the content at the end says what happened. */
export const edits: Scenario = (id) => {
  const path = `edit-${id}.txt`;
  const doomed = `doomed-${id}.txt`;
  const edit = (step: number, oldText: string, newText: string) =>
    callStep(id, step, [{ name: "edit_file", input: { path, oldText, newText } }]);
  return {
    name: "edits",
    prepare: async ({ workspaceDir }) => await writeFile(join(workspaceDir, doomed), "to be deleted\n"),
    turns: [
      {
        text: "Edit",
        steps: [
          callStep(id, 1, [{ name: "write_file", input: { path, content: "one\n" } }]),
          edit(2, "one", "one two"),
          edit(3, "two", "two three"),
          callStep(id, 4, [{ name: "delete_file", input: { path: doomed } }]),
          () => say("Edited."),
        ],
        react: allowOnce,
      },
    ],
    mayEnd: ["completed"],
    problems: async (turns, { workspaceDir }) => {
      const content = await contentOf(join(workspaceDir, path));
      const left = await contentOf(join(workspaceDir, doomed));
      const statuses = turns.flatMap(({ events }) =>
        ["write_file", "edit_file", "delete_file"].flatMap((tool) => callsOf(events, tool).map(({ status }) => status)),
      );
      return [
        ...(content === "one two three\n" ? [] : [`${path} holds ${JSON.stringify(content)}`]),
        ...(left === undefined ? [] : [`${doomed} is still there`]),
        ...(statuses.every((status) => status === "completed") ? [] : [`file calls ended ${statuses.join()}`]),
      ];
    },
  };
};

/** New files of some pages, several one after the other: each is there whole, or not at all. */
export const writes: Scenario = (id) => {
  const dir = `written-${id}`;
  const write = (step: number) =>
    callStep(
      id,
      step,
      ["a", "b", "c"].map((name) => ({
        name: "write_file",
        input: { path: `${dir}/${name}${step}.txt`, content: `${name}${step}\n`.repeat(4_000) },
      })),
    );
  return {
    name: "writes",
    turns: [{ text: "Write", steps: [write(1), write(2), () => say("Written.")], react: allowOnce }],
    mayEnd: ["completed"],
    problems: writeProblems(dir),
  };
};

/** Commands that each leave one line: no line is there twice, and each that is said to be done is there. */
export const commands: Scenario = (id, random) => {
  const log = `log-${id}.txt`;
  const run = (step: number) => {
    const command = `echo line${step} >> ${log}; sleep 0.${random.int(1, 5)}; echo printed ${step}`;
    return callStep(id, step, [{ name: "run_shell", input: { command } }]);
  };
  return {
    name: "commands",
    turns: [{ text: "Run", steps: [run(1), run(2), run(3), () => say("Ran.")], react: allowOnce }],
    mayEnd: ["completed"],
    problems: commandProblems(log),
  };
};

/** A command that would run for half a minute is stopped by the person, or by the death of everything. */
export const stoppedCommand: Scenario = (id, random) => {
  // Unique among all processes, so that one that is left over is found.
  const seconds = `29.${random.int(100_000, 999_999)}${random.int(100_000, 999_999)}`;
  const abortAt = random.int(1, 3);
  return {
    name: "stopped command",
    turns: [
      {
        text: "Run for long",
        steps: [
          callStep(id, 1, [{ name: "run_shell", input: { command: `echo begun; sleep ${seconds}` } }]),
          () => say("It is over."),
        ],
        react: (event, person) => {
          allowOnce(event, person);
          const isDue =
            (abortAt === 1 && event.type === "permission_reply") || (abortAt > 1 && event.type === "tool_output");
          if (isDue) person.abort();
        },
      },
    ],
    mayEnd: ["completed", "aborted"],
    problems: async (turns) => {
      const left = listProcesses().filter(({ command }) => command.includes(seconds));
      const statuses = turns.flatMap(({ events }) => callsOf(events, "run_shell").map(({ status }) => status));
      return [
        ...left.map(({ command }) => `still runs: ${command}`),
        ...statuses.filter((status) => status === "completed").map(() => "a stopped command is said to be completed"),
      ];
    },
  };
};
