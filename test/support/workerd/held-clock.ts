/** A clock that stands still, for the Worker and its objects: they share their isolate with the test. */
import { onTestFinished } from "vitest";

/**
 * Holds it at a moment until it is set again, or the test is over. Call it inside a test. Alarms ring by the real time: hold it far in the
 * future, so that those that are set meanwhile wait for the test to ring them.
 */
export const heldClock = (atMs: number) => {
  const original = Date.now;
  let nowMs = atMs;
  Date.now = () => nowMs;
  onTestFinished(() => {
    Date.now = original;
  });
  return {
    set: (ms: number) => {
      nowMs = ms;
    },
    /** Moves it forward from where it stands. */
    forward: (ms: number) => {
      nowMs += ms;
    },
  };
};
