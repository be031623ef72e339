/** A call that is running when its run is stopped: reads are left, effects are awaited for 5 s (run.md, Aborting). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TimedOut } from "../../../src/contract/within.ts";
import { awaitEffect } from "../../../src/harness/await-effect.ts";
import type { ToolResult } from "../../../src/harness/tools/tool.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const done: ToolResult = { output: "done", isError: false };

const never = new Promise<ToolResult>(() => undefined);

describe("a call", () => {
  it("ends with its result", async () => {
    expect(await awaitEffect(Promise.resolve(done), false, new AbortController().signal)).toBe(done);
  });

  it("that reads and breaks ends as a failed one, and the model reads nothing of the inside", async () => {
    const broken = Promise.reject<ToolResult>(new Error("secret"));
    expect(await awaitEffect(broken, true, new AbortController().signal)).toEqual({
      output: "The tool failed unexpectedly. Try another way.",
      isError: true,
    });
  });

  it("that changes something and breaks may have had its effect", async () => {
    const broken = Promise.reject<ToolResult>(new Error("secret"));
    expect(await awaitEffect(broken, false, new AbortController().signal)).toBe("unknown");
  });
});

it.each([
  ["that answers too late is a warning", new TimedOut(15_000), "warn", "A tool did not answer."],
  ["that breaks is an error", new Error("broken"), "error", "A tool failed unexpectedly."],
] as const)("in the log, a call %s", async (_, error, level, message) => {
  const log = captureLog();
  await awaitEffect(Promise.reject<ToolResult>(error), false, new AbortController().signal);
  expect(log.lines({ level, message })).toHaveLength(1);
});

describe("when the run is stopped", () => {
  it("a read is aborted at once", async () => {
    const abort = new AbortController();
    const waiting = awaitEffect(never, true, abort.signal);
    abort.abort();
    expect(await waiting).toBe("aborted");
  });

  it("an effect under way ends with its true result within 5 s", async () => {
    const abort = new AbortController();
    const effect = Promise.withResolvers<ToolResult>();
    const waiting = awaitEffect(effect.promise, false, abort.signal);
    abort.abort();
    await vi.advanceTimersByTimeAsync(4_999);
    effect.resolve(done);
    expect(await waiting).toBe(done);
  });

  it("an effect that does not end within 5 s is unknown", async () => {
    const abort = new AbortController();
    const waiting = awaitEffect(never, false, abort.signal);
    abort.abort();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toBe("unknown");
  });

  it.each([
    ["a read", true, "aborted"],
    ["an effect", false, "unknown"],
  ])("before %s was awaited it is the same", async (_, isRead, end) => {
    const waiting = awaitEffect(never, isRead, AbortSignal.abort());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toBe(end);
  });

  it("no timer is left behind", async () => {
    const effect = Promise.withResolvers<ToolResult>();
    const waiting = awaitEffect(effect.promise, false, AbortSignal.abort());
    effect.resolve(done);
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });
});
