/** Unified diffs as lines to show. */
import { expect, it } from "vitest";
import { countChanges, parseDiff } from "../../../../src/ui/agent/conversation/parse-diff.ts";

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
    { kind: "hunk", text: "@@ -1,2 +1,3 @@" },
    { kind: "same", text: "same" },
    { kind: "remove", text: "- a list item" },
    { kind: "add", text: "++ plus" },
    { kind: "add", text: "" },
    { kind: "note", text: "No newline at end of file" },
  ]);
});

it("added and removed lines are counted", () => {
  expect(countChanges(parseDiff(DIFF))).toEqual({ added: 2, removed: 1 });
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
