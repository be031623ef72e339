/** A wait with an end: what is given in time counts, and whoever says nothing is called back. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TimedOut, within, withTimeLimit } from "../../../src/contract/within.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<string>(() => undefined);

describe("a wait of at most a second", () => {
  it("returns what arrives in time, and leaves no timer behind", async () => {
    expect(await within(1_000, async () => "here")).toBe("here");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("throws what is thrown in time", async () => {
    await expect(within(1_000, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("says that the time is up, and calls back what it waited for", async () => {
    const signals: AbortSignal[] = [];
    const waiting = within(1_000, (signal) => {
      signals.push(signal);
      return never();
    });
    const given = expect(waiting).rejects.toThrow(new TimedOut(1_000));
    await vi.advanceTimersByTimeAsync(1_000);
    await given;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("ends with the signal it was given, for the same reason", async () => {
    const outer = new AbortController();
    const given = expect(within(1_000, never, outer.signal)).rejects.toThrow("stopped");
    outer.abort(new Error("stopped"));
    await given;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not begin when that signal has aborted before", async () => {
    const work = vi.fn(never);
    await expect(within(1_000, work, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    expect(work).not.toHaveBeenCalled();
  });
});

describe("work that may take a second", () => {
  /** Ends when it is told to, and says why. */
  const untilTold = async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return String(signal.reason);
  };

  it("leaves no timer behind, however it ends", async () => {
    expect(await withTimeLimit(1_000, async ({ aborted }) => aborted)).toBe(false);
    await expect(withTimeLimit(1_000, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is told when the time is up, and what it makes of that is what comes of it", async () => {
    const told = withTimeLimit(1_000, untilTold, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await told).toBe("TimedOut: No answer within 1000 ms.");
  });

  it("is told when the signal aborts that was given", async () => {
    const outer = new AbortController();
    const told = withTimeLimit(1_000, untilTold, outer.signal);
    outer.abort("stopped");
    expect(await told).toBe("stopped");
    expect(vi.getTimerCount()).toBe(0);
  });
});
