/** The diff a person agrees to: true, whole where it can be, and bounded whatever the files are. */
import { applyPatch, parsePatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileDiff } from "../../../../src/harness/tools/file-diff.ts";
import type { FoundFile } from "../../../../src/harness/tools/found-file.ts";

const absent: FoundFile = { type: "absent" };
const text = (content: string): FoundFile => ({ type: "whole", bytes: new TextEncoder().encode(content) });
const bytes = (...content: number[]): FoundFile => ({ type: "whole", bytes: Uint8Array.from(content) });
const large: FoundFile = { type: "large", size: 12_345_678, modifiedAtMs: 0 };

/** Lines that no other `kind` has. */
const linesOf = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind} ${nth}\n`).join("");

/** The lines that a diff says are there, one side's, each hunk with those that are. */
const placesOf = (diff: string, side: "old" | "new", content: string): string[][][] => {
  const mark = side === "old" ? /^[ -]/ : /^[ +]/;
  const lines = content.split("\n");
  return parsePatch(diff).flatMap(({ hunks }) =>
    hunks.map((hunk) => {
      const start = hunk[`${side}Start`] - 1;
      const shown = hunk.lines.filter((line) => mark.test(line)).map((line) => line.slice(1));
      return [shown, lines.slice(start, start + hunk[`${side}Lines`])];
    }),
  );
};

const someText = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 24 }).map((lines) => lines.join("\n"));

describe("a diff", () => {
  it.each([
    ["of a new file", absent, text("a\n"), "--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n"],
    ["of a deleted file", text("a\n"), absent, "--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"],
    ["of a new empty file", absent, text(""), "--- /dev/null\n+++ b/x\n"],
    [
      "of a change with three lines around it",
      text("1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
      text("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
      "--- a/x\n+++ b/x\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    ],
    [
      "of a last line without newline",
      text("a"),
      text("a\n"),
      "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
    ],
  ])("%s", (_, before, after, diff) => {
    expect(fileDiff("x", before, after)).toEqual({ diff, isWhole: true });
  });

  it("quotes a path that would look like separate lines", () => {
    const { diff } = fileDiff("x\n+++ b/y", absent, text("a\n"));
    expect(diff.split("\n")[1]).toBe('+++ "b/x\\n+++ b/y"');
  });

  it("of two texts with nothing in common is all of the one and all of the other", () => {
    const [before, after] = [linesOf("old", 20_000), linesOf("new", 20_000)];
    const { diff, isWhole } = fileDiff("x", text(before), text(after));
    expect([isWhole, applyPatch(before, diff) === after]).toEqual([true, true]);
    expect(diff).toContain("@@ -1,20000 +1,20000 @@");
  });

  it("of all of a text against nothing in common keeps missing newlines", () => {
    const [before, after] = [`${linesOf("old", 2_000)}end`, `${linesOf("new", 2_000)}end of it`];
    expect(applyPatch(before, fileDiff("x", text(before), text(after)).diff)).toBe(after);
  });

  it("of any two texts makes the one of the other, and its numbers are those of their lines", () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        const { diff } = fileDiff("x", text(before), text(after));
        expect(applyPatch(before, diff)).toBe(after);
        const hunks = [...placesOf(diff, "old", before), ...placesOf(diff, "new", after)];
        expect(hunks.map(([shown]) => shown)).toEqual(hunks.map(([, there]) => there));
      }),
    );
  });

  it("of one line among hundreds of thousands is of that line, at its number", () => {
    const [above, below] = [linesOf("above", 300_000), linesOf("below", 300_000)];
    expect(fileDiff("x", text(`${above}old\n${below}`), text(`${above}new\n${below}`))).toEqual({
      diff: "--- a/x\n+++ b/x\n@@ -299998,7 +299998,7 @@\n above 299997\n above 299998\n above 299999\n-old\n+new\n below 0\n below 1\n below 2\n",
      isWhole: true,
    });
  });

  it("of one more among millions of equal lines is of that line", () => {
    const before = "\n".repeat(8_000_000);
    const { diff, isWhole } = fileDiff("x", text(before), text(`${before}\n`));
    expect([diff, isWhole]).toEqual(["--- a/x\n+++ b/x\n@@ -7999998,3 +7999998,4 @@\n \n \n \n+\n", true]);
  });

  it("of many lines between equal ones is all of the old and all of the new between them", () => {
    const [head, tail] = [linesOf("head", 10), linesOf("tail", 10)];
    const before = `${head}${linesOf("old", 1_500)}${tail}`;
    const after = `${head}${linesOf("new", 1_500)}${tail}`;
    const { diff } = fileDiff("x", text(before), text(after));
    expect(applyPatch(before, diff)).toBe(after);
    expect(diff.split("\n").slice(2, 7)).toEqual(["@@ -8,1506 +8,1506 @@", " head 7", " head 8", " head 9", "-old 0"]);
    expect(diff.split("\n").slice(-5)).toEqual(["+new 1499", " tail 0", " tail 1", " tail 2", ""]);
  });

  it.each([
    [
      "more lines than are compared",
      text("\n".repeat(30_000)),
      text("x\n".repeat(30_000)),
      "30,000 bytes → 60,000 bytes",
    ],
    ["a new file of more lines", absent, text("\n".repeat(60_000)), "no file → 60,000 bytes"],
    ["binary files", bytes(0, 1), bytes(0, 1, 2), "2 bytes that are not text → 3 bytes that are not text"],
    ["text that is not UTF-8", bytes(0x63, 0xe9), text("cé"), "2 bytes that are not text → 3 bytes"],
    ["a file over 8 MiB", large, absent, "12,345,678 bytes → no file"],
    ["a diff over 1 MB", text("x".repeat(1_100_000)), absent, "1,100,000 bytes → no file"],
  ])("only describes %s", (_, before, after, words) => {
    const { diff, isWhole } = fileDiff("x", before, after);
    expect([diff.split("\n").at(-2), isWhole]).toEqual([`Not shown line by line: ${words}`, false]);
  });
});
