/** Which lines a search shows. */
import v8 from "node:v8";
import vm from "node:vm";
import { expect, it } from "vitest";
import { compilePattern, matchLines } from "../../../src/workspace/match-lines.ts";

const shown = (text: string, context: number, maxMatches = 100) => {
  const { lines, ...counts } = matchLines(text, compilePattern("hit"), { context, maxMatches });
  return { ...counts, lines: lines.map(({ line, isMatch }) => `${line}${isMatch ? "!" : ""}`) };
};

it.each([
  ["nothing of a text without one", "a\nb", 2, []],
  ["a text that is one", "hit", 0, ["1!"]],
  ["no line after the last line break", "hit\n", 1, ["1!"]],
  ["empty lines", "\n\nhit\n\n\n", 1, ["2", "3!", "4"]],
  ["neighbours once", "a\nhit\nhit\nb", 1, ["1", "2!", "3!", "4"]],
  ["overlapping context once", "hit\na\nb\nhit", 2, ["1!", "2", "3", "4!"]],
  ["nothing between contexts that do not touch", "hit\na\nb\nc\nhit", 1, ["1!", "2", "4", "5!"]],
])("shows %s", (_, text, context, lines) => {
  expect(shown(text, context).lines).toEqual(lines);
});

it("stops before the match that is one too many, after the context of the last", () => {
  expect(shown("hit\na\nhit\nb\nhit\n", 1, 2)).toEqual({ matches: 2, isCut: true, lines: ["1!", "2", "3!", "4"] });
  expect(shown("hit\nhit", 0, 2)).toEqual({ matches: 2, isCut: false, lines: ["1!", "2!"] });
});

it("cuts the text of a line that is too long to show, after it has been searched", () => {
  const { lines } = matchLines(`${"a".repeat(5_000)}hit`, compilePattern("hit$"), { context: 0, maxMatches: 1 });
  expect(lines).toEqual([{ line: 1, text: "a".repeat(2_000), isMatch: true }]);
});

/** Makes V8's `gc` callable, which Node itself does only at its start. */
const collectGarbage = (): void => {
  v8.setFlagsFromString("--expose-gc");
  vm.runInNewContext("gc")();
};

it("holds no text of which it shows a line", () => {
  const isMatch = compilePattern("needle");
  const search = (index: number) =>
    matchLines(`needle of file ${index}\n`.padEnd(1_500_000, `${index}\n`), isMatch, { context: 0, maxMatches: 1 });
  search(0);
  collectGarbage();
  const before = v8.getHeapStatistics().used_heap_size;
  const found = Array.from({ length: 40 }, (_, index) => search(index));
  collectGarbage();
  // All 40 texts together are 60 MB.
  expect(v8.getHeapStatistics().used_heap_size - before).toBeLessThan(20_000_000);
  expect(found.map(({ matches }) => matches)).toEqual(Array.from({ length: 40 }, () => 1));
});

it.each(["foo.*bar", ".{0,1000}x", "\\bexport (const|function|class) \\w+"])("searches for %s", (pattern) => {
  expect(compilePattern(pattern).size).toBeLessThan(2_500);
});

it("refuses a pattern whose program is too long", () => {
  const pattern = Array.from({ length: 10 }, (_, index) => `.{0,${1000 - index}}a`).join("|");
  expect(() => compilePattern(pattern)).toThrow(
    expect.objectContaining({ code: "invalid", message: expect.stringContaining("smaller numbers in {}") }),
  );
});

it.each(["(?=a)", "(a)\\1", "(", "x{100000}"])("says of %s that RE2 does not know it", (pattern) => {
  expect(() => compilePattern(pattern)).toThrow(
    expect.objectContaining({ code: "invalid", message: expect.stringContaining(JSON.stringify(pattern)) }),
  );
});
