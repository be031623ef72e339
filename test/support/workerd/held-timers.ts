/** Timers of the Worker and its objects, held back in a test that cannot wait for them: they share its isolate. */
import { runInDurableObject } from "cloudflare:test";
import { expect, onTestFinished } from "vitest";
import { SERVICE_LIMIT_MS } from "../../../src/quotes/fetch-json.ts";
import { aroundMethod } from "../around-method.ts";

/** Holds timers of exactly `ms` from now on, until the test is over. Call it inside a test. */
export const holdTimers = (ms: number) => {
  const original = globalThis.setTimeout;
  const held = new Map<unknown, () => void>();
  const clear = globalThis.clearTimeout;
  const set = (run: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]) => {
    const timer = original(run, delayMs, ...args);
    if (delayMs === ms) held.set(timer, () => run(...args));
    return timer;
  };
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout: (timer: Parameters<typeof clear>[0]) => {
      held.delete(timer);
      clear(timer);
    },
  });
  onTestFinished(() => {
    Object.assign(globalThis, { setTimeout: original, clearTimeout: clear });
  });
  const ringAll = () => {
    for (const run of held.values()) run();
    held.clear();
  };
  return {
    /** Lets those that run now go off, inside the object that has set them. */
    ring: async (stub: DurableObjectStub): Promise<void> => {
      await runInDurableObject(stub, ringAll);
    },
    /** Lets one go off that the test itself has set, as soon as it is set. */
    ringHere: async (): Promise<void> => {
      await expect.poll(() => held.size).toBeGreaterThan(0);
      ringAll();
    },
  };
};

/** No service takes too long from now on, until the test is over: for one that holds an answer back. Call it inside a test. */
export const withoutTimeLimits = (): void =>
  aroundMethod(globalThis, "setTimeout", (_, [, delayMs], call) => (delayMs === SERVICE_LIMIT_MS ? undefined : call()));
