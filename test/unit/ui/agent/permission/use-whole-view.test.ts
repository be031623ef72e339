/** What of a long content has been in view: all of it only when nothing is missing in between. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addStretch,
  firstUnseen,
  MAX_GAP_PX,
  type Stretch,
  stretchInView,
  withoutStretch,
} from "../../../../../src/ui/agent/permission/use-whole-view.ts";

describe("a box", () => {
  const clip = { from: 100, to: 500 };

  it.each([
    ["that is all on the screen shows as much as it is high", { top: 150, height: 200, scrolled: 0 }, [0, 200]],
    ["that was scrolled shows what it was scrolled to", { top: 150, height: 200, scrolled: 600 }, [600, 800]],
    ["whose top is out of sight shows its lower part", { top: 0, height: 300, scrolled: 50 }, [150, 350]],
    ["whose end is out of sight shows its upper part", { top: 400, height: 300, scrolled: 50 }, [50, 150]],
  ])("%s", (_, box, [from, to]) => {
    expect(stretchInView(box, clip)).toEqual({ from, to });
  });

  it("that is out of sight shows nothing", () => {
    expect(stretchInView({ top: 500, height: 300, scrolled: 0 }, clip)).toBeUndefined();
  });
});

it.each([
  [
    "over the middle leaves both ends",
    { from: 200, to: 300 },
    [
      [100, 200],
      [300, 500],
    ],
  ],
  ["over the end leaves the beginning", { from: 400, to: 600 }, [[100, 400]]],
  ["over the beginning leaves the end", { from: 50, to: 150 }, [[150, 500]]],
  ["elsewhere leaves all", { from: 600, to: 700 }, [[100, 500]]],
  ["over all leaves nothing", { from: 0, to: 700 }, []],
])("a toast %s", (_, toast, left) => {
  expect(withoutStretch({ from: 100, to: 500 }, toast).map(({ from, to }) => [from, to])).toEqual(left);
});

const seenOf = (stretches: readonly Stretch[]): readonly Stretch[] => stretches.reduce(addStretch, []);

it("a jump to the end leaves out what lies between, until that was in view", () => {
  const jumped = seenOf([
    { from: 0, to: 300 },
    { from: 700, to: 1_000 },
  ]);
  expect([firstUnseen(jumped, 1_000), firstUnseen(addStretch(jumped, { from: 290, to: 701 }), 1_000)]).toEqual([
    300,
    undefined,
  ]);
});

it("content that grows has not all been in view any more", () => {
  expect(firstUnseen([{ from: 0, to: 300 }], 900)).toBe(300);
});

it("nothing has been in view before anything was, and nothing is left of no content", () => {
  expect([firstUnseen([], 10), firstUnseen([], 0)]).toEqual([0, undefined]);
});

it("all has been in view just when each of its pixels was, but for the gaps of rounding", () => {
  const view = fc.integer({ min: 1, max: 80 }).chain((height) =>
    fc.record({
      height: fc.constant(height),
      stretches: fc.array(
        fc.tuple(fc.nat(height - 1), fc.nat(30)).map(([from, length]) => ({ from, to: from + length + 1 })),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  );
  fc.assert(
    fc.property(view, ({ height, stretches }) => {
      const isSeen = (px: number) => stretches.some(({ from, to }) => px >= from && px < to);
      const drawn = Array.from({ length: height }, (_, px) => (isSeen(px) ? " " : "x")).join("");
      const longestGap = Math.max(...drawn.split(" ").map((gap) => gap.length));
      expect(firstUnseen(seenOf(stretches), height) === undefined).toBe(longestGap <= MAX_GAP_PX);
    }),
  );
});
