/** Unified diffs as lines to show. */
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  countChanges,
  countLines,
  foldBlankLines,
  parseDiff,
} from "../../../../../src/ui/agent/permission/diff-view.tsx";

const DIFF = [
  "Index: notes.md",
  "--- notes.md",
  "+++ notes.md",
  "@@ -1,2 +1,3 @@",
  " same",
  "-- a list item",
  "+++ plus",
  "+",
  "\\ No newline at end of file",
  "",
].join("\n");

it("lines keep their kind and text, without the names of the files", () => {
  expect(parseDiff(DIFF)).toEqual([
    { kind: "hunk", text: "Line 1" },
    { kind: "same", text: "same" },
    { kind: "remove", text: "- a list item" },
    { kind: "add", text: "++ plus" },
    { kind: "add", text: "" },
    { kind: "note", text: "No newline at end of file" },
  ]);
});

it.each([
  ["@@ -7,2 +9,3 @@", "Line 9"],
  ["@@ -1 +1 @@", "Line 1"],
  ["@@ -0,0 +1,2 @@", "Line 1"],
  ["@@ -3,2 +0,0 @@", "Line 3"],
  ["@@ -1,2 +1,3 @@ and more", "@@ -1,2 +1,3 @@ and more"],
  ["@@@ -1 -1 +1 @@@", "@@@ -1 -1 +1 @@@"],
])("a hunk says where it begins, and what is none we know is shown as it is: %s", (line, text) => {
  expect(parseDiff(`${line}\n+a`)[0]).toEqual({ kind: "hunk", text });
});

it("added and removed lines are counted", () => {
  expect(countChanges(parseDiff(DIFF))).toEqual({ added: 2, removed: 1 });
});

it("only lines of the file count as lines, not where a hunk begins or what is noted of the end", () => {
  expect(countLines(parseDiff(DIFF))).toBe(4);
});

it("a text without a hunk is shown as it is", () => {
  expect(parseDiff("-not a diff\n+at all")).toEqual([
    { kind: "same", text: "-not a diff" },
    { kind: "same", text: "+at all" },
  ]);
});

it("nothing at all has no lines", () => {
  expect(parseDiff("")).toEqual([]);
});

it("more than three blank lines of a kind are one row that counts them", () => {
  const blanks = ["+", "+ ", "+\t", "+", " "].join("\n");
  expect(foldBlankLines(parseDiff(`@@ -1 +1,6 @@\n+a\n${blanks}\n+b`)).map(({ kind, count }) => [kind, count])).toEqual(
    [
      ["hunk", 1],
      ["add", 1],
      ["add", 4],
      ["same", 1],
      ["add", 1],
    ],
  );
});

it("rows leave out blank lines alone, and count each", () => {
  const line = fc.record({
    kind: fc.constantFrom("add", "remove", "same", "note" as const),
    text: fc.constantFrom("", " ", "\t", "x", "\u200B"),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const rows = foldBlankLines(lines);
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(lines.length);
      expect(rows.map(({ text }) => text.trim()).join("")).toBe(lines.map(({ text }) => text.trim()).join(""));
    }),
  );
});
