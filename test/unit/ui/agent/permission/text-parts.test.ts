/** What a person is shown of a text that others wrote: all of it, and nothing that hides or moves a part of it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partWords, shownText, textParts } from "../../../../../src/ui/agent/permission/foreign-text.tsx";

const kindsOf = (text: string, isCode = false) => textParts(text, isCode).map(({ kind }) => kind);

it.each([
  ["a plain text", "echo hello\n\tworld", "echo hello\n\tworld"],
  ["an override of the direction", "a\u202Egpj.exe", "a\\u{202e}gpj.exe"],
  ["isolates and marks of direction", "\u2066\u2069\u200E\u061C", "\\u{2066}\\u{2069}\\u{200e}\\u{61c}"],
  ["a blank of no width", "rm\u200B -rf", "rm\\u{200b} -rf"],
  ["a carriage return, which overwrites in a terminal", "evil\rgood", "evil\\u{d}good"],
  ["an escape sequence", "\u001B[31mred", "\\u{1b}[31mred"],
  ["separators of lines and paragraphs", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
  ["half of a pair", "a\uD800b", "a\\u{d800}b"],
  ["a blank that is none to a shell", "rm\u00A0x", "rm\\u{a0}x"],
  ["tags beyond the first plane", "a\u{E0041}b", "a\\u{e0041}b"],
  ["a filler that Unicode calls a letter", "a\u3164b", "a\\u{3164}b"],
  ["the same hidden character many times", `a${"\u200B".repeat(300)}b`, "a\\u{200b}×300b"],
  ["300 blanks", `a${" ".repeat(300)}b`, "a⋯ 300 blanks ⋯b"],
  ["an indentation of 32 blanks", `${" ".repeat(32)}b`, `${" ".repeat(32)}b`],
  ["40 line ends", `a${"\n".repeat(40)}b`, "a\n⋯ 39 blank lines ⋯\nb"],
  ["blank lines that hold blanks", `a\n${" \t\n".repeat(5)}b`, "a\n⋯ 5 blank lines ⋯\nb"],
  ["three blank lines", "a\n\n\n\nb", "a\n\n\n\nb"],
  ["letters with more marks than any script has", `e${"\u0301".repeat(9)}`, `e${"\u0301".repeat(4)}\\u{301}×5`],
])("%s", (_, text, shown) => {
  expect(shownText(text)).toBe(shown);
});

it.each([
  ["emoji in their own style", "\u2764\uFE0F 1\uFE0F\u20E3 \u{1F469}\u{1F3FD}\u200D\u{1F4BB}", undefined],
  ["a family", "\u{1F469}\u200D\u2764\uFE0F\u200D\u{1F468}", undefined],
  ["Persian and Hindi words", "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u0915\u094D\u200D\u0937", undefined],
  ["what joins nothing", "a \u200C\u200D\uFE0F 1\u200D2", "a \\u{200c}\\u{200d}\\u{fe0f} 1\\u{200d}2"],
  ["a joiner many times", `a${"\u200C".repeat(300)}b`, "a\u200C\\u{200c}×299b"],
  ["what else cannot be seen", "a\u200B\u202E\uFE0E", "a\\u{200b}\\u{202e}\\u{fe0e}"],
])("words that nobody agrees to keep what they are written with: %s", (_, text, shown = text) => {
  expect(shownText(text, true)).toBe(shown);
});

it("what is agreed to is shown with all that cannot be seen of emoji and words", () => {
  expect(shownText("\u2764\uFE0F \u0645\u06CC\u200C\u062E")).toBe("\u2764\\u{fe0f} \u0645\u06CC\\u{200c}\u062E");
});

it("words from right to left stand by themselves in code, and flow in a text", () => {
  expect([kindsOf("cp \u05D0 /etc \u05D1", true), kindsOf("\u05D0 \u05D1")]).toEqual([
    ["plain", "turned", "plain", "turned"],
    ["plain"],
  ]);
});

/** Texts of what hides and what is hidden. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u202E", "\u200B", "\r", "\u00A0", "\n", "\uD800", "\u05D0", "rm -rf", "\u0301"),
      fc.integer({ min: 1, max: 60 }).map((count) => " ".repeat(count)),
      fc.integer({ min: 1, max: 12 }).map((count) => "\n \t".repeat(count)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

describe("of any text", () => {
  it("the parts make it up again, and only blanks and hidden characters become marks", () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, isCode) => {
        const parts = textParts(text, isCode);
        expect(parts.map((part) => part.text).join("")).toBe(text);
        for (const part of parts.filter(({ kind }) => kind === "blanks" || kind === "blankLines"))
          expect(part.text).toMatch(/^[ \t\n]+$/);
        for (const part of parts.filter(({ kind }) => kind === "hidden"))
          expect(part.text).toMatch(/^[\p{C}\p{Z}\p{DI}\p{M}\u2800]+$/u);
      }),
    );
  });

  it("nothing that is shown hides, moves or turns anything", () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, isCode) => {
        const shown = textParts(text, isCode).map(partWords).join("");
        expect(shown.replaceAll(/[ \t\n]/g, "")).not.toMatch(/[\p{C}\p{Z}\p{DI}\u2800]/u);
        expect(shown).not.toMatch(/[ \t]{33}|\n(?:[ \t]*\n){4}/);
      }),
    );
  });

  it("it takes time in proportion to the text", () => {
    const texts = [" \n", "\t", " ", "\u200B", "\n", "a ", "\u05D0 "].map((unit) => unit.repeat(100_000));
    expect(texts.map((text) => textParts(text, true).reduce((sum, part) => sum + part.text.length, 0))).toEqual(
      texts.map((text) => text.length),
    );
  });
});
