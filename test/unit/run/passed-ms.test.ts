/** Durations by a clock that may be put back: the contract has none below 0. */
import { expect, it } from "vitest";
import { passedMs } from "../../../src/run/drive/running-time.ts";

it("a duration is the time between, and nothing when the clock was put back", () => {
  expect([passedMs(1_000, 1_250), passedMs(1_000, 400)]).toEqual([250, 0]);
});
