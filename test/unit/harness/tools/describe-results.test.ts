/** What the model reads of a search and of a command. */
import { describe, expect, it } from "vitest";
import { describeCommand } from "../../../../src/harness/tools/describe-command.ts";
import { describeList, listTitle } from "../../../../src/harness/tools/list-files.ts";
import { describeMatches } from "../../../../src/harness/tools/search-files.ts";
import type { CommandResult } from "../../../../src/workspace/workspace.ts";

it.each([
  [".", undefined, "List all files"],
  [".", "*.ts", "List *.ts"],
  ["src", undefined, "List src"],
  ["src", "*.ts", "List *.ts in src"],
])("a list of %s that match %s has the title %s", (path, glob, title) => {
  expect(listTitle(path, glob)).toBe(title);
});

const line = (path: string, nth: number, text: string, isMatch = true) => ({ path, line: nth, text, isMatch });

describe("a search", () => {
  it("without context is a line for each match", () => {
    const lines = [line("a", 1, "x"), line("a", 9, "y"), line("b", 1, "z")];
    expect(describeMatches({ lines, isCut: false })).toBe("a:1:x\na:9:y\nb:1:z");
  });

  it("with context has a mark between groups that do not touch", () => {
    const lines = [line("a", 1, "x"), line("a", 2, "c", false), line("a", 8, "c", false), line("a", 9, "y")];
    expect(describeMatches({ lines: [...lines, line("b", 10, "z")], isCut: false })).toBe(
      "a:1:x\na-2-c\n--\na-8-c\na:9:y\n--\nb:10:z",
    );
  });

  it.each([
    ["was cut", [line("a", 1, "x")], true, /^a:1:x\n\[There is more\./],
    [
      "is too long to show",
      Array.from({ length: 40 }, (_, nth) => line("a", nth, "x".repeat(2_000))),
      false,
      /\n\[There is more\./,
    ],
    ["found nothing", [], false, /^No line matches\.$/],
    ["was stopped before it found anything", [], true, /^The search was stopped/],
  ])("that %s says so", (_, lines, isCut, output) => {
    const described = describeMatches({ lines, isCut });
    expect(described).toMatch(output);
    expect(described.length).toBeLessThan(61_000);
  });

  it.each([
    [
      [],
      /^No line matches, but data\.json is too large to be searched whole\. Search it with a command, such as grep\.$/,
    ],
    [[line("a", 1, "x")], /^a:1:x\n\[data\.json is too large to be searched whole\. Search it with/],
  ])("that left out a large file names it: %#", (lines, output) => {
    expect(describeMatches({ lines, isCut: true, tooLarge: "data.json" })).toMatch(output);
  });
});

describe("a name that would be read as something else", () => {
  const names = [
    "a\n12345\tREADME.md",
    "b\u202etxt.exe",
    "c\u001b[31m",
    "e\rf",
    '"quoted"',
    "\u2028",
    "ünïcode 日本.txt",
  ];
  const shown = ['"a\\n12345\\tREADME.md"', '"b\\u202etxt.exe"', '"c\\u001b[31m"', '"e\\rf"', '"\\"quoted\\""'];
  const lines = [...shown, '"\\u2028"', "ünïcode 日本.txt"];

  it("is written as JSON in a list, which says the same name", () => {
    const entries = names.map((path) => ({ path, type: "file" as const, size: 1 }));
    expect(describeList({ entries, isCut: false }, ".", undefined)).toBe(lines.map((name) => `1\t${name}`).join("\n"));
    expect(lines.slice(0, -1).map((name) => JSON.parse(name))).toEqual(names.slice(0, -1));
  });

  it("is written as JSON in a search", () => {
    const found = names.map((path) => line(path, 1, "x"));
    expect(describeMatches({ lines: found, isCut: false })).toBe(lines.map((name) => `${name}:1:x`).join("\n"));
  });
});

const ended = (result: Partial<CommandResult>): CommandResult => ({
  ...{ end: "exited", exitCode: 0, stdout: "", stderr: "", isCut: false },
  ...result,
});

describe("a command", () => {
  it.each<[string, Partial<CommandResult>, ReturnType<typeof describeCommand>]>([
    ["that prints nothing", {}, { output: "Exit code 0.\nIt printed nothing.", isError: false }],
    [
      "that fails",
      { exitCode: 2, stdout: "a\n", stderr: "b\n" },
      { output: "Exit code 2.\nstdout:\na\nstderr:\nb", isError: true },
    ],
    ["that a signal ends", { exitCode: null }, { output: "Ended by a signal.\nIt printed nothing.", isError: true }],
    [
      "that takes too long",
      { end: "timed_out", exitCode: null, stdout: "a" },
      {
        output: "Timed out: it was stopped after 5000 ms. What it had done by then is done.\nstdout:\na",
        isError: true,
      },
    ],
    [
      "that the person stops",
      { end: "aborted", exitCode: null, stdout: "a" },
      {
        output: "Stopped: the run was stopped while it ran. What it had done by then is done.\nstdout:\na",
        isError: true,
        isUnknown: true,
      },
    ],
  ])("%s", (_, result, described) => {
    expect(describeCommand(ended(result), 5_000)).toEqual(described);
  });

  it("that prints much is shown by its beginning and its end", () => {
    const { output } = describeCommand(ended({ stdout: `begin${"x".repeat(100_000)}end` }), 5_000);
    expect(output).toMatch(/^Exit code 0\.\nstdout:\nbeginx+\n\[\d+ bytes left out\]\nx+end\n\[The output was long/);
    expect(output).toContain("If it can be run again without harm, redirect it to a file to read all of it.");
    expect(output.length).toBeLessThan(31_000);
  });
});
