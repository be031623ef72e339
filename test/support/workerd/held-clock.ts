/** A clock that stands still, for the Worker and its objects: they share their isolate with the test. */
import { onTestFinished, vi } from "vitest";

/** From here on a moment is far in the future, for as long as these tests are run. */
const FAR_MS = Date.UTC(2040, 0);

/** Longest way from the time of the run to a moment that was counted from it, in ms: the next day of trading is at most some days away. */
const NEAR_MS = 7 * 24 * 3_600_000;

/** @throws when the moment is a fixed one that will be past some day: prices of the real time would then come after it. */
const refusePassing = (atMs: number): void => {
  if (atMs >= FAR_MS || Math.abs(atMs - Date.now()) <= NEAR_MS) return;
  throw new Error(
    `${new Date(atMs).toISOString()} will one day be in the past. Hold a moment near the time of the run, or from 2040 on.`,
  );
};

/**
 * Holds it at a moment until it is set again, or the test is over. Call it inside a test. Alarms ring by the real time: hold it far in the
 * future, so that those that are set meanwhile wait for the test to ring them. `new Date()` still is of the real time, and so is what
 * signs people in: at a moment months away they are signed out.
 */
export const heldClock = (atMs: number) => {
  refusePassing(atMs);
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

/** The same, of `new Date()` as well: people sign in at that moment, however far away. */
export const heldDate = (atMs: number) => {
  refusePassing(atMs);
  vi.useFakeTimers({ toFake: ["Date"], now: atMs });
  onTestFinished(() => void vi.useRealTimers());
  return { set: (ms: number) => void vi.setSystemTime(ms) };
};
