/** The clock of the Worker and its objects: they share their isolate with the test, and take `Date.now` when they are made. */
import { onTestFinished } from "vitest";

const HALF_DAY_MS = 12 * 3_600_000;

/**
 * A clock that can be put to another day, less than a day away. Called inside a test, before the objects are made; it stands
 * right again when the test is over. Alarms ring by the real time.
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
    /** Puts it forward from where it stands. */
    forward: (ms: number) => {
      byMs += ms;
    },
  };
};
