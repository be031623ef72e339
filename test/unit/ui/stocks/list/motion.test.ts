/** What moves in the list, and from where. */
import { describe, expect, it } from "vitest";
import { textBetween } from "../../../../../src/ui/stocks/list/motion/count-up.ts";
import { rowMoves } from "../../../../../src/ui/stocks/list/motion/move-rows.ts";

describe("rows", () => {
  const moves = (before: string, now: string) => [...rowMoves([...before], [...now])];

  it.each([
    [
      "abcd",
      "acd",
      [
        ["c", 1],
        ["d", 1],
      ],
    ],
    [
      "acd",
      "abcd",
      [
        ["b", undefined],
        ["c", -1],
        ["d", -1],
      ],
    ],
    [
      "abc",
      "cab",
      [
        ["c", 2],
        ["a", -1],
        ["b", -1],
      ],
    ],
    ["abc", "abc", []],
    ["abc", "ab", []],
  ])("from %s to %s come from their places before", (before, now, expected) => {
    expect(moves(before, now)).toEqual(expected);
  });

  it("of a first or another list are shown at once", () => {
    expect(moves("", "abc")).toEqual([]);
    expect(moves("abcdefg", "hijklmn")).toEqual([]);
  });
});

describe("a total on its way", () => {
  it.each([
    ["$1,000.00", "$2,000.00", 0, "$1,000.00"],
    ["$1,000.00", "$2,000.00", 0.5, "$1,500.00"],
    ["$2,000.00", "$1,000.00", 0.9, "$1,100.00"],
    ["+CHF 0.05", "+CHF 0.15", 0.5, "+CHF 0.10"],
    ["12.4K", "12.8K", 0.5, "12.6K"],
  ])("from %s to %s, at %d, is %s", (from, to, part, text) => {
    expect(textBetween(from, to, part)).toBe(text);
  });

  it.each([
    ["$999.00", "$1,000.00"],
    ["+$5.00", "-$5.00"],
    ["$5.00", "€6.00"],
    ["–", "$6.00"],
    ["$5.00", "$5.00"],
    ["1,234,567,890,123,456", "2,234,567,890,123,456"],
  ])("is not counted from %s to %s", (from, to) => {
    expect(textBetween(from, to, 0.5)).toBeUndefined();
  });
});
