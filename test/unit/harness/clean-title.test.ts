/** What a model wrote becomes a title: one line of plain text, or nothing. */
import { expect, it } from "vitest";
import { cleanTitle } from "../../../src/harness/anthropic/titles/ask-title.ts";

it.each([
  ["Buy target for Amazon", "Buy target for Amazon"],
  ['\n"Buy target for Amazon."\nMore words', "Buy target for Amazon"],
  ["**Title: Apple and U.S. bonds**", "Title: Apple and U.S. bonds"],
  ["Title: Apple", "Apple"],
  ["„Kaufziel für Amazon“", "Kaufziel für Amazon"],
  ["Hidden \u202Eturn\u202C\u0000 and\tgaps", "Hidden turn and gaps"],
  ["half \uD83D", "half \uFFFD"],
  ["…?", "…?"],
  [`x${'"'.repeat(300_000)}x`, "x"],
])("%.60j reads %j", (text, title) => {
  expect(cleanTitle(text)).toBe(title);
});

it.each(["", " \n ", '""', "**", "\u200B"])("nothing is left of %j", (text) => {
  expect(cleanTitle(text)).toBeUndefined();
});

it("is cut where it is too long", () => {
  expect(cleanTitle("word ".repeat(40))).toHaveLength(80);
});
