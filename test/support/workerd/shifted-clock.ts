/** The clock of the Worker and its objects: they share their isolate with the test, and read `Date.now` when they are made. */
import { onTestFinished } from "vitest";

const HALF_DAY_MS = 12 * 3_600_000;

/**
 * A clock that can be moved to another day, less than a day away. Call it inside a test, before the objects are made; it is reset when
 * the test is over. Alarms ring by the real time.
 */
export const shiftedClock = () => {
  const now = Date.now;
  let byMs = 0;
  Date.now = () => now() + byMs;
  onTestFinished(() => {
    byMs = 0;
    Date.now = now;
  });
  return {
    toAnotherDay: () => {
      byMs = new Date(now()).getUTCHours() < 12 ? -HALF_DAY_MS : HALF_DAY_MS;
    },
    toNow: () => {
      byMs = 0;
    },
    /** Moves it forward from its current time. */
    forward: (ms: number) => {
      byMs += ms;
    },
  };
};
