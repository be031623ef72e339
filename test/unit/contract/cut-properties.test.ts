/** Whatever cuts a text leaves no half of a character: each helper, on any text and at any length. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { describeProblems } from "../../../src/contract/describe-problems.ts";
import { cutText } from "../../../src/contract/plain-text.ts";
import { cutOutput } from "../../../src/harness/model-text.ts";
import { numberLines } from "../../../src/harness/tools/read-file.ts";
import { fenced } from "../../../src/model/demo/demo-answer.ts";
import { cutMiddle } from "../../../src/workspace/cut-middle.ts";
import { compilePattern, matchLines } from "../../../src/workspace/match-lines.ts";
import { showPath } from "../../../src/workspace/resolve-path.ts";

/** Mostly of two UTF-16 units, so that nearly every other place is inside of a character. */
const character = fc.constantFrom("😀", "𝄞", "👩‍🚀", "a", "é", "\u2028");
const textOf = (maxLength: number) => fc.string({ unit: character, maxLength, size: "max" });

/** As long as what the helpers below cut at lengths of their own. */
const longText = textOf(3_000);

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

it("cutText gives the beginning, at most one unit short of its length", () => {
  fc.assert(
    fc.property(textOf(40), fc.nat(50), (text, maxLength) => {
      const cut = cutText(text, maxLength);
      expect([text.startsWith(cut), cut.isWellFormed()]).toEqual([true, true]);
      expect(cut.length).toBeLessThanOrEqual(maxLength);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, maxLength - 1));
    }),
  );
});

it("cutMiddle gives both ends", () => {
  fc.assert(
    fc.property(textOf(40), fc.integer({ min: 8, max: 120 }), (text, maxBytes) => {
      const cut = cutMiddle(text, maxBytes);
      const [head = "", tail = ""] = cut.text.split(/\n\[\d+ bytes left out\]\n/);
      expect([cut.isCut, cut.text.isWellFormed()]).toEqual([bytesOf(text) > maxBytes, true]);
      expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true]);
    }),
  );
});

it("cutOutput gives the beginning, in no more bytes than there is room for", () => {
  fc.assert(
    fc.property(textOf(120), fc.integer({ min: 100, max: 300 }), (text, maxBytes) => {
      const cut = cutOutput(text, maxBytes);
      expect([cut.isWellFormed(), bytesOf(cut) <= maxBytes]).toEqual([true, true]);
    }),
  );
});

it.each<[string, (text: string) => string]>([
  ["a line that a search found", (text) => shownLine(text)],
  ["a line of a page", (text) => numberLines(text, { startLine: 1, endLine: undefined }).page],
  ["a path in a message", (text) => JSON.parse(showPath(text))],
  ["what the demo model repeats", fenced],
  ["a field nobody knows", (text) => unknownField(text)],
])("%s is cut between characters", (_, cut) => {
  fc.assert(
    fc.property(longText, (text) => {
      expect(cut(text).isWellFormed()).toBe(true);
    }),
    // Shrinking a text of thousands of characters takes minutes, and says no more.
    { numRuns: 30, endOnFailure: true },
  );
});

const shownLine = (text: string): string =>
  matchLines(text, compilePattern(""), { context: 0, maxMatches: 1 }).lines[0]?.text ?? "";

const unknownField = (name: string): string => {
  const { error } = z.strictObject({}).safeParse({ [name]: 1 });
  return describeProblems(error?.issues ?? [], "body");
};
