/** Edits by text: exact and unmistakable, or a message that says what to do instead. */
import { describe, expect, it } from "vitest";
import { replaceText } from "../../../../src/harness/tools/edit-file.ts";

const edit = (oldText: string, newText: string, replaceAll = false) => ({ oldText, newText, replaceAll });

describe("an edit", () => {
  it.each([
    ["replaces the one place", "a\nb\nc\n", edit("b", "B"), "a\nB\nc\n"],
    ["takes several lines", "a\nb\nc\n", edit("a\nb\n", ""), "c\n"],
    ["takes dollar signs to the letter", "a", edit("a", "$& $1 $$"), "$& $1 $$"],
    ["replaces every place when told so", "a b a", edit("a", "c", true), "c b c"],
    ["counts places that overlap once", "aaa", edit("aa", "b"), "ba"],
    ["in plain newlines means a file's CRLF, and keeps it", "a\r\nb\r\nc\r\n", edit("a\nb", "x\ny"), "x\r\ny\r\nc\r\n"],
    ["with CRLF of its own matches exactly", "a\r\nb", edit("a\r\n", "c\r\n"), "c\r\nb"],
    ["with CRLF of its own may ask for plain newlines", "a\r\nb", edit("a\r\n", "a\n"), "a\nb"],
    ["adds lines that end as the file's do", "a\r\nb\r\nc\r\n", edit("b", "x\ny"), "a\r\nx\r\ny\r\nc\r\n"],
    ["adds such lines to a last one without an end", "a\r\nb", edit("b", "x\ny"), "a\r\nx\r\ny"],
    ["that begins with a newline takes all of a CRLF", "a\r\nb", edit("\nb", "\nc"), "a\r\nc"],
    ["takes lines that end in both ways", "a\r\nb\nc\r\n", edit("a\nb\nc", "x\ny"), "x\r\ny\r\n"],
    ["adds lines that end as the one it changes", "a\r\nb\nc\r\n", edit("b", "x\ny"), "a\r\nx\ny\nc\r\n"],
    ["replaces every place, however its lines end", "a\nb\na\r\nb\n", edit("a\nb", "x\ny", true), "x\ny\nx\r\ny\n"],
    ["takes a place that begins within another try", "aab\naaab\n", edit("aab\na", "c"), "caab\n"],
    ["takes every CRLF whole", "a\r\n\r\n\nb\r\n", edit("\n", "", true), "ab"],
    ["takes no part of another return", "a\r\r\nb\r", edit("\n", ""), "a\rb\r"],
    ["keeps a byte order mark", "\uFEFFa", edit("a", "b"), "\uFEFFb"],
  ])("%s", (_, text, change, expected) => {
    expect(replaceText(text, change)).toEqual({ text: expected });
  });

  // Each look for a line's end would read megabytes again: the work of days.
  it.each([
    ["with no end", ""],
    ["with no end, below a line with one", "head\r\n"],
    ["with an end of its own", "", "\r\n"],
  ])("replaces every place of a long line %s", (_, head, end = "") => {
    const [before, after] = ["abcdefghi,", "abcdefghi;\n"].map((part) => part.repeat(800_000));
    const written = head + end === "" ? after : after?.replaceAll("\n", "\r\n");
    expect(replaceText(`${head}${before}${end}`, edit(",", ";\n", true))).toEqual({ text: `${head}${written}${end}` });
  });

  it("that would make more of a file than any workspace takes is refused before it is made", () => {
    expect(replaceText("\n".repeat(1_000_000), edit("\n", "x".repeat(100_000), true))).toEqual({
      problem: expect.stringMatching(/^newText: the file would become too large/),
    });
  });

  // Compared anew at each place, these are the work of hours.
  it.each([
    ["ends otherwise than lines that repeat", "\r\n".repeat(2_000_000), `${"\n".repeat(100_000)}x`],
    ["begins otherwise than lines that repeat", "\n".repeat(4_000_000), `\nx${"\n".repeat(100_000)}`],
    ["begins otherwise than a line that repeats itself", "a".repeat(4_000_000), `ab${"a".repeat(100_000)}`],
  ])("that %s is refused in the end", (_, text, oldText) => {
    expect(replaceText(text, edit(oldText, "z"))).toEqual({ problem: expect.stringMatching(/not in the file/) });
  });

  it.each([
    [
      "is there twice",
      "x\ny\nx\n",
      edit("x", "z"),
      /^oldText: it is in the file 2 times \(lines 1, 3\)\. .* replaceAll/,
    ],
    ["is there twice, with other line ends", "a\nb\na\r\nb\n", edit("a\nb", "z"), /2 times \(lines 1, 3\)/],
    ["is there often", "x\n".repeat(9), edit("x", "z"), /9 times \(lines 1, 2, 3, 4, 5, …\)/],
    ["changes nothing", "x", edit("x", "x"), /^newText: it equals oldText/],
    ["is not there at all", "x", edit("q", "z"), /not in the file\. Read the file again/],
    ["has the line numbers of read_file", "x\n", edit("     1\tx", "z"), /Leave out the line numbers/],
    ["differs in white space", "\tif (a) {\n", edit("  if (a) {", "z"), /Only white space differs/],
    ["has no space where the file has some", "if ( a )\n", edit("if (a)", "z"), /Only white space differs/],
    ["is nothing but white space", "a\n", edit("\n\n", "z"), /Only white space differs/],
    ["differs in case", "Hello", edit("hello", "z"), /Only upper and lower case differ/],
    ["begins rightly and goes on otherwise", "a\n  b = 1\nc\n", edit("b = 1\nd", "z"), /Its first line is line 2/],
  ])("that %s is refused, with what to do", (_, text, change, problem) => {
    expect(replaceText(text, change)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
