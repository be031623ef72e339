/** What a list has room for, by its width and by the size of text. */
import { describe, expect, it } from "vitest";
import { roomOf } from "../../../../../src/ui/stocks/list/shown/room-of.ts";

describe("the list", () => {
  it("is a table from 640 px on, with targets from 860 px on", () => {
    expect([639, 640, 859, 860].map((width) => roomOf(width, 16, false).isTable)).toEqual([false, true, true, true]);
    expect([859, 860].map((width) => roomOf(width, 16, false).isWide)).toEqual([false, true]);
  });

  it("takes twice the size of text for half the width, and its rows are twice as high", () => {
    const usual = roomOf(600, 16, false);
    const large = roomOf(1_200, 32, false);
    expect(large).toEqual({ ...usual, rowPx: usual.rowPx * 2 });
    expect(roomOf(1_200, 16, false).isTable).toBe(true);
  });

  it("shows six cards on a small phone below a header of 250 px, and seven compact ones", () => {
    const below = 740 - 57 - 250;
    expect(below / roomOf(328, 16, false).rowPx).toBeGreaterThanOrEqual(6);
    expect(below / roomOf(328, 16, true).rowPx).toBeGreaterThanOrEqual(7);
  });

  it("always has room for a shortened amount", () => {
    for (const width of [1, 144, 288, 328, 380]) {
      const { amount, holding, value, figure } = roomOf(width, 16, false);
      expect(Math.min(amount, holding, value, figure)).toBeGreaterThanOrEqual(6);
    }
  });
});
