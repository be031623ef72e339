/** Which failed model calls are tried again, and after how long (api.md §3). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelayMs } from "../../../src/harness/anthropic/call-model.ts";
import { ModelFailure } from "../../../src/model/model-failure.ts";

const overloaded = (retryAfterMs?: number) =>
  new ModelFailure("model_overloaded", "The model is overloaded.", { isRetryable: true, retryAfterMs });

describe("the wait before the next try", () => {
  it.each([
    [1, 1_000],
    [2, 8_000],
    [3, 30_000],
  ])("after try %i is %i ms", (attempt, delayMs) => {
    expect(retryDelayMs(overloaded(), attempt, 0)).toBe(delayMs);
  });

  it("is up to a quarter longer by chance", () => {
    expect(retryDelayMs(overloaded(), 2, 0.999_999)).toBe(10_000);
  });

  it("is most of a minute in all, so that a short outage does not end long work", () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(random, random, random), (chances) => {
        const delays = chances.map((chance, at) => retryDelayMs(overloaded(), at + 1, chance) ?? 0);
        const sumMs = delays.reduce((sum, delayMs) => sum + delayMs, 0);
        expect(sumMs).toBeGreaterThanOrEqual(35_000);
        expect(sumMs).toBeLessThanOrEqual(60_000);
        expect(delays.toSorted((a, b) => a - b)).toEqual(delays);
      }),
    );
  });

  it("is what the provider asks for, to the millisecond", () => {
    expect(retryDelayMs(overloaded(7_000), 1, 0.5)).toBe(7_000);
  });

  it("is none when the provider asks for none", () => {
    expect(retryDelayMs(overloaded(0), 1, 0)).toBe(0);
  });
});

describe("there is no next try", () => {
  it("after the fourth", () => {
    expect(retryDelayMs(overloaded(), 4, 0)).toBeUndefined();
  });

  it("after the fourth, though the provider says when to come back", () => {
    expect(retryDelayMs(overloaded(1_000), 4, 0)).toBeUndefined();
  });

  it("where the provider asks for more than two minutes", () => {
    expect([retryDelayMs(overloaded(120_000), 1, 0), retryDelayMs(overloaded(120_001), 1, 0)]).toEqual([
      120_000,
      undefined,
    ]);
  });

  it("for a failure that waiting does not resolve", () => {
    const failure = new ModelFailure("model_auth", "No.", { isRetryable: false, retryAfterMs: 1_000 });
    expect(retryDelayMs(failure, 1, 0)).toBeUndefined();
  });
});
