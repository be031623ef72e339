/** Titles of changes that watch a stock and set something else. */
import { expect, it } from "vitest";
import { updateTitle } from "../../../src/contract/stocks/write-title.ts";

it.each([
  [{ watched: true, targetLow: "150" }, "Watch AAPL and set its buy target"],
  [{ watched: false, notes: null }, "Stop watching AAPL and clear its notes"],
  [{ watched: true }, "Watch AAPL"],
  [{ targetLow: "150", notes: "x" }, "Set AAPL's buy target and notes"],
  // Null gives the default again, where there is one.
  [{ name: null }, "Reset AAPL's name"],
  [{ notes: null, lastPriceAt: null }, "Reset AAPL's notes and last price at"],
  [{ name: null, notes: "x" }, "Set AAPL's name and notes"],
])("%j is %s", (set, title) => {
  expect(updateTitle({ set }, "AAPL")).toBe(title);
});
