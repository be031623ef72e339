/** Pages of numbered lines: whatever the text, a page is bounded and says how far it goes. */
import { describe, expect, it } from "vitest";
import { numberLines } from "../../../../src/harness/tools/read-file.ts";

const from = (startLine: number, endLine?: number) => ({ startLine, endLine });

describe("a page", () => {
  it.each<[string, string, ReturnType<typeof from>, string, number, number]>([
    ["of all lines", "a\nb\n", from(1), "     1\ta\n     2\tb", 2, 2],
    ["without a newline at the end", "a\nb", from(1), "     1\ta\n     2\tb", 2, 2],
    ["of a range", "a\nb\nc\nd\n", from(2, 3), "     2\tb\n     3\tc", 3, 4],
    ["with an end beyond the text", "a\nb\n", from(2, 99), "     2\tb", 2, 2],
    ["with a start beyond the text", "a\n", from(5), "", 4, 1],
    ["of empty lines", "\n\n", from(1), "     1\t\n     2\t", 2, 2],
    ["of lines that end with CRLF", "a\r\nb\r\n", from(1), "     1\ta\n     2\tb", 2, 2],
    ["behind a byte order mark", "\uFEFFa\n", from(1), "     1\ta", 1, 1],
  ])("%s", (_, text, range, page, lastLine, lines) => {
    expect(numberLines(text, range)).toEqual({ page, lastLine, lines });
  });

  it("has at most 2,000 lines", () => {
    const { lastLine, lines } = numberLines("x\n".repeat(5_000), from(11));
    expect([lastLine, lines]).toEqual([2_010, 5_000]);
  });

  it("has at most 60,000 characters, and the next begins where it ends", () => {
    const text = `${"x".repeat(1_000)}\n`.repeat(100);
    const first = numberLines(text, from(1));
    expect(first.page.length).toBeLessThanOrEqual(60_000);
    expect(numberLines(text, from(first.lastLine + 1)).page).toMatch(new RegExp(`^ +${first.lastLine + 1}\t`));
  });

  it("cuts a line that is too long, and says by how much", () => {
    expect(numberLines("y".repeat(2_500), from(1)).page).toBe(
      `     1\t${"y".repeat(2_000)}… [500 more characters in this line]`,
    );
  });
});
