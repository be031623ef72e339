/** Clocks of tests that stand still: a test that passes today must not fail from some day on. */
import { expect, it } from "vitest";
import { heldClock, heldDate } from "../../support/workerd/held-clock.ts";

const DAY_MS = 24 * 3_600_000;

it.each([-30, 30])(
  "are held at no moment %d days from the time of the run, as a fixed one would be for a while",
  (days) => {
    const atMs = Date.now() + days * DAY_MS;
    expect(() => heldClock(atMs)).toThrow("will one day be in the past");
    expect(() => heldDate(atMs)).toThrow("will one day be in the past");
  },
);

it("are held near the time of the run, and far in the future", () => {
  const soonMs = Date.now() + 3 * DAY_MS;
  heldClock(soonMs);
  expect(Date.now()).toBe(soonMs);
  const farMs = Date.parse("2040-06-12T16:00:00Z");
  heldClock(farMs);
  expect(Date.now()).toBe(farMs);
});

it("are held for new dates as well, where people sign in by them", () => {
  const clock = heldDate(Date.parse("2040-06-12T16:00:00Z"));
  expect(new Date().toISOString()).toBe("2040-06-12T16:00:00.000Z");
  clock.set(Date.parse("2040-06-13T16:00:00Z"));
  expect(new Date().toISOString()).toBe("2040-06-13T16:00:00.000Z");
});
