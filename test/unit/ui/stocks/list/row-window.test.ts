/** Which rows of a long list are on the page, and how they get there. */
import { describe, expect, it } from "vitest";
import {
  cutStretches,
  rowsAround,
  rowsInView,
  stepTowards,
  wantedReach,
} from "../../../../../src/ui/stocks/list/row/use-row-window.ts";

const WINDOW = { height: 640, rowHeight: 64 };

const rowsOnPage = (top: number, count: number) =>
  rowsAround(rowsInView({ ...WINDOW, top }), wantedReach(count), count);

describe("rows on the page", () => {
  it.each([
    ["at the top", 200, { start: 0, end: 15 }],
    ["in the middle", -64_000, { start: 992, end: 1_018 }],
    ["at the end", -319_360, { start: 4_982, end: 5_000 }],
    ["scrolled out below", 5_000, { start: 0, end: 0 }],
    ["scrolled out above", -400_000, { start: 5_000, end: 5_000 }],
  ])("are those in view and some around them: %s", (_, top, expected) => {
    expect(rowsOnPage(top, 5_000)).toEqual(expected);
  });

  it("are those in view alone while the list changes", () => {
    expect(rowsAround(rowsInView({ ...WINDOW, top: 200 }), 0, 5_000)).toEqual({ start: 0, end: 7 });
  });

  it("do not change while one scrolls by less than a row", () => {
    expect(rowsInView({ ...WINDOW, top: -64_010 })).toEqual(rowsInView({ ...WINDOW, top: -64_060 }));
  });

  it("are all of a short list", () => {
    expect(rowsOnPage(-3_200, 60)).toEqual({ start: 0, end: 60 });
  });
});

describe("the way to other rows", () => {
  const shown = { start: 40, end: 52 };
  const around = ({ start, end }: { start: number; end: number }) => ({ start: start - 4, end: end + 4 });

  it.each([
    ["down", { start: 48, end: 56 }, { start: 41, end: 53 }],
    ["up", { start: 36, end: 44 }, { start: 39, end: 51 }],
    ["nowhere", { start: 44, end: 48 }, shown],
    ["to more on both sides, the lower first", { start: 40, end: 52 }, { start: 40, end: 53 }],
    ["to more above, of which some is in view", { start: 39, end: 52 }, { start: 39, end: 52 }],
    ["to more below, of which some is in view", { start: 40, end: 53 }, { start: 40, end: 53 }],
    ["to less", { start: 46, end: 46 }, { start: 41, end: 51 }],
    ["to rows none of which is shown", { start: 56, end: 68 }, { start: 56, end: 57 }],
    ["back to rows none of which is shown", { start: 10, end: 22 }, { start: 10, end: 11 }],
  ])("%s", (_, view, expected) => {
    expect(stepTowards(shown, view, around(view))).toEqual(expected);
  });

  it("ends at them, however far they are, and shows those in view first", () => {
    const view = { start: 2_000, end: 2_010 };
    const target = around(view);
    const ways = [{ start: 0, end: 14 }];
    for (let steps = 0; steps < 30; steps += 1) ways.push(stepTowards(ways[steps] ?? shown, view, target));
    expect(ways.at(10)).toEqual(view);
    expect(ways.at(18)).toEqual(target);
    expect(ways.at(-1)).toEqual(target);
  });
});

describe("stretches", () => {
  it("cover the list once, with the kept row wherever it is", () => {
    expect(cutStretches({ start: 8, end: 10 }, 98, 51)).toEqual([
      { kind: "gap", start: 0, end: 8 },
      { kind: "row", start: 8, end: 9 },
      { kind: "row", start: 9, end: 10 },
      { kind: "gap", start: 10, end: 51 },
      { kind: "row", start: 51, end: 52 },
      { kind: "gap", start: 52, end: 98 },
    ]);
  });

  it.each([
    ["above", 1, [1, 8, 9]],
    ["just above", 7, [7, 8, 9]],
    ["inside", 9, [8, 9]],
    ["just below", 10, [8, 9, 10]],
    ["nowhere", -1, [8, 9]],
  ])("keep a row that is %s", (_, kept, expected) => {
    const rows = cutStretches({ start: 8, end: 10 }, 100, kept).filter(({ kind }) => kind === "row");
    expect(rows.map(({ start }) => start)).toEqual(expected);
  });

  it("fit a list that has become shorter than what was in view", () => {
    expect(cutStretches({ start: 40, end: 56 }, 3, 0)).toEqual([
      { kind: "row", start: 0, end: 1 },
      { kind: "gap", start: 1, end: 3 },
    ]);
  });
});
