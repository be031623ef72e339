/** Which text a file must hold to be worth matching, and that no match is ever lost by it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../../src/workspace/match-lines.ts";
import { requiredText } from "../../../src/workspace-server/tree/tree-calls.ts";

describe("the text a pattern requires", () => {
  it.each([
    ["needle", "needle"],
    ["\\bneedle\\b", "needle"],
    ["^import .* from", "import "],
    ["value\\d+ = 3;", "value"],
    ["a\\.b\\(c", "a.b(c"],
    ["colou?r", "colo"],
    ["go+gle", "gle"],
    ["ab{2,3}c", "a"],
    ["[abc]def", "def"],
    ["(?i)needle", ""],
    ["one|two", ""],
    ["(one)two", ""],
    ["\\x41bc", ""],
    ["\\Qa.b\\E", ""],
    ["[[:alpha:]]bc", ""],
    ["[]a]bc", ""],
    ["foo[^]a-z0-9]", "foo"],
    ["[^]a]bc", ""],
    ["日本+", "日本"],
    ["", ""],
  ])("%s is %j", (pattern, text) => {
    expect(requiredText(pattern)).toBe(text);
  });

  it("stands in every line that matches", () => {
    const pieces = [
      "a",
      "b",
      "ab",
      ".",
      "\\.",
      "\\d",
      "\\b",
      "[ab]",
      "[^a]",
      "[^]a]",
      "a?",
      "b*",
      "ab+",
      "a{2}",
      "b{0,1}",
      "^",
      "$",
    ];
    const pattern = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((chosen) => chosen.join(""));
    const line = fc.string({ unit: fc.constantFrom("a", "b", ".", "1"), maxLength: 12 });
    fc.assert(
      fc.property(pattern, line, (given, text) => {
        fc.pre(isPattern(given));
        return !compilePattern(given)(text) || text.includes(requiredText(given));
      }),
      { numRuns: 3_000 },
    );
  });
});

const isPattern = (text: string): boolean => {
  try {
    compilePattern(text);
    return true;
  } catch {
    // `a??*` and the like: a search refuses them before it reads a file.
    return false;
  }
};
