/** Timers, for what must leave none behind: one that is pending keeps an object in memory, and billed. */
import { aroundMethod } from "./around-method.ts";

/** Watches the timers and the time limits of signals that are set from now on, until the test is over. Call it inside a test. */
export const watchTimers = () => {
  /** Their delays, in ms. */
  const all: number[] = [];
  const left = new Map<unknown, number>();
  const note = (timer: unknown, delayMs: unknown): unknown => {
    all.push(Number(delayMs));
    left.set(timer, Number(delayMs));
    return timer;
  };
  // Nothing takes back the limit of such a signal.
  aroundMethod(AbortSignal, "timeout", (_, [delayMs], call) => note(call(), delayMs));
  if ("scheduler" in globalThis) aroundMethod(scheduler, "wait", (_, [delayMs], call) => note(call(), delayMs));
  aroundMethod(globalThis, "setTimeout", (_, [, delayMs], call) => note(call(), delayMs));
  aroundMethod(globalThis, "clearTimeout", (_, [timer], call) => {
    left.delete(timer);
    return call();
  });
  const count = (delays: Iterable<number>, delayMs: number) => [...delays].filter((one) => one === delayMs).length;
  return {
    /** How many of exactly this delay there were. */
    set: (delayMs: number): number => count(all, delayMs),
    /** How many of them nobody has cleared. */
    left: (delayMs: number): number => count(left.values(), delayMs),
  };
};
