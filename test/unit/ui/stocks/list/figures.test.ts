/** What the list draws: the rows that are on the page, shares of a value, the place between two targets. */
import { describe, expect, it } from "vitest";
import { allocationOf, gainPercent } from "../../../../../src/ui/stocks/list/allocation.ts";
import {
  cutStretches,
  rowsAround,
  rowsInView,
  stepTowards,
  wantedReach,
} from "../../../../../src/ui/stocks/list/row-window.ts";
import { targetPlace } from "../../../../../src/ui/stocks/list/target-place.ts";
import { stockOf } from "../dialogs/stock-of.ts";

const WINDOW = { height: 640, rowHeight: 64 };

const rowsOnPage = (top: number, count: number) =>
  rowsAround(rowsInView({ ...WINDOW, top }), wantedReach(count), count);

describe("rows on the page", () => {
  it.each([
    ["at the top", 200, { start: 0, end: 16 }],
    ["in the middle", -64_000, { start: 992, end: 1_018 }],
    ["at the end", -319_360, { start: 4_982, end: 5_000 }],
    ["scrolled out below", 5_000, { start: 0, end: 0 }],
  ])("are those in view and some around them: %s", (_, top, expected) => {
    expect(rowsOnPage(top, 5_000)).toEqual(expected);
  });

  it("are those in view alone while the list changes", () => {
    expect(rowsAround(rowsInView({ ...WINDOW, top: 200 }), 0, 5_000)).toEqual({ start: 0, end: 8 });
  });

  it("do not change while one scrolls by less than a block", () => {
    expect(rowsInView({ ...WINDOW, top: -64_010 })).toEqual(rowsInView({ ...WINDOW, top: -64_064 }));
  });

  it("are all of a short list", () => {
    expect(rowsOnPage(-3_200, 60)).toEqual({ start: 0, end: 60 });
  });
});

describe("the way to other rows", () => {
  it.each([
    ["down", { start: 48, end: 60 }, { start: 42, end: 54 }],
    ["up", { start: 36, end: 48 }, { start: 38, end: 50 }],
    ["to more", { start: 40, end: 60 }, { start: 40, end: 54 }],
    ["nowhere", { start: 40, end: 52 }, { start: 40, end: 52 }],
    ["farther than the margin", { start: 50, end: 62 }, { start: 42, end: 54 }],
    ["to rows none of which is shown", { start: 56, end: 68 }, { start: 56, end: 58 }],
    ["back to rows none of which is shown", { start: 10, end: 22 }, { start: 10, end: 12 }],
  ])("%s", (_, target, expected) => {
    expect(stepTowards({ start: 40, end: 52 }, target)).toEqual(expected);
  });

  it("ends at them, however far they are", () => {
    const target = { start: 2_000, end: 2_022 };
    let shown = { start: 0, end: 14 };
    let steps = 0;
    for (; shown.end !== target.end; steps += 1) shown = stepTowards(shown, target);
    expect({ shown, steps }).toEqual({ shown: target, steps: 11 });
  });
});

describe("stretches", () => {
  it("cover the list once, with the kept row's block wherever it is", () => {
    expect(cutStretches({ start: 8, end: 12 }, 98, 51)).toEqual([
      { kind: "gap", start: 0, end: 8 },
      { kind: "block", start: 8, end: 10 },
      { kind: "block", start: 10, end: 12 },
      { kind: "gap", start: 12, end: 50 },
      { kind: "block", start: 50, end: 52 },
      { kind: "gap", start: 52, end: 98 },
    ]);
  });

  it.each([
    ["above", 1, [0, 8, 10]],
    ["inside", 10, [8, 10]],
    ["nowhere", -1, [8, 10]],
  ])("keep a row that is %s", (_, kept, expected) => {
    const blocks = cutStretches({ start: 8, end: 12 }, 100, kept).filter(({ kind }) => kind === "block");
    expect(blocks.map(({ start }) => start)).toEqual(expected);
  });

  it("fit a list that has become shorter than what was in view", () => {
    expect(cutStretches({ start: 40, end: 56 }, 3, 0)).toEqual([
      { kind: "block", start: 0, end: 2 },
      { kind: "gap", start: 2, end: 3 },
    ]);
  });
});

describe("the allocation", () => {
  const held = (symbol: string, marketValue: string | null, currency = "GBP") =>
    stockOf({ symbol, marketValue, currency });

  it("names the largest and counts hundredths into their currency", () => {
    const stocks = [held("P", "50"), held("X", "30000", "GBX"), held("U", "900", "USD"), held("N", null)];
    expect(allocationOf(stocks, "GBP")).toEqual([
      { label: "X", share: 300 / 350 },
      { label: "P", share: 50 / 350 },
    ]);
  });

  it("puts the small ones together", () => {
    const stocks = ["10", "20", "30", "40", "50", "50"].map((value, index) => held(`S${index}`, value));
    expect(allocationOf(stocks, "GBP").map(({ label, share }) => [label, share])).toEqual([
      ["S4", 0.25],
      ["S5", 0.25],
      ["S3", 0.2],
      ["S2", 0.15],
      ["others", 0.15],
    ]);
  });

  it("is empty without a value", () => {
    expect(allocationOf([held("N", null), held("Z", "0")], "GBP")).toEqual([]);
  });

  it("has a gain of what was paid where both are known", () => {
    const stocks = [
      stockOf({ currency: "GBX", gain: "5000", costBasis: "10000" }),
      stockOf({ currency: "GBP", gain: null, costBasis: "999" }),
    ];
    expect([gainPercent(stocks, "GBP", "50"), gainPercent([], "GBP", "50"), gainPercent(stocks, "GBP", null)]).toEqual([
      "50.0000",
      null,
      null,
    ]);
  });
});

describe("the place between targets", () => {
  it.each([
    ["150", "100", "200", 0.5],
    ["90", "100", "200", 0],
    ["250", "100", "200", 1],
    ["125", "100", null, 0.5],
    ["75", null, "100", 0.5],
    ["100", "100", "100", 1],
    [null, "100", "200", undefined],
    ["100", null, null, undefined],
  ])("of %s from %s to %s is %s", (lastPrice, targetLow, targetHigh, expected) => {
    expect(targetPlace(stockOf({ lastPrice, targetLow, targetHigh }))).toBe(expected);
  });
});
