/** Calls to an object that may be restarted under them: one more try, then 503; what it threw itself passes, and one with too many calls gets no more. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../../src/contract/app-error.ts";
import { reach } from "../../../src/objects/reach.ts";

/** An object that fails its first calls with these errors and then answers `here`. */
const objectThat = (failures: readonly Error[]) => {
  const left = [...failures];
  const calls: number[] = [];
  const call = async (): Promise<string> => {
    calls.push(calls.length + 1);
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return "here";
  };
  return { call, calls };
};

/** An error as workerd hands it over, with its flags. */
const flagged = (message: string, flags: object): Error => Object.assign(new Error(message), flags);

const lost = () => flagged("Network connection lost.", { retryable: true });
const bug = () => flagged("This run was never started.", { remote: true });

afterEach(() => {
  vi.useRealTimers();
});

describe("a call to an object", () => {
  it("is a 503 when the object says nothing for half a minute, and is not made again", async () => {
    vi.useFakeTimers();
    const call = vi.fn(() => new Promise<string>(() => undefined));
    const given = expect(reach(call)).rejects.toEqual(
      new AppError(503, "The agent is unavailable. Try again.", { "Retry-After": "2" }),
    );
    await vi.advanceTimersByTimeAsync(30_000);
    await given;
    expect(call).toHaveBeenCalledTimes(1);
  });

  it("is made once where it answers", async () => {
    const { call, calls } = objectThat([]);
    expect([await reach(call), calls]).toEqual(["here", [1]]);
  });

  it.each([
    ["says that a call may be repeated", lost()],
    ["was reset in the middle of its own code", flagged("Reset.", { remote: true, durableObjectReset: true })],
    ["lost its connection", new Error("Network connection lost.")],
  ])("is made once more when the object %s", async (_, failure) => {
    const { call, calls } = objectThat([failure]);
    expect([await reach(call), calls]).toEqual(["here", [1, 2]]);
  });

  it.each([false, true])("is a 503 and not made again when the object is overloaded; remote: %s", async (remote) => {
    const { call, calls } = objectThat([flagged("Durable Object is overloaded.", { overloaded: true, remote })]);
    await expect(reach(call)).rejects.toEqual(
      new AppError(503, "The agent is unavailable. Try again.", { "Retry-After": "2" }),
    );
    expect(calls).toEqual([1]);
  });

  it("is a 503 with Retry-After when it fails twice", async () => {
    const { call } = objectThat([lost(), lost()]);
    const refusal = await reach(call).catch((error: unknown) => error);
    expect(refusal).toEqual(new AppError(503, "The agent is unavailable. Try again.", { "Retry-After": "2" }));
    expect(refusal).toHaveProperty("headers", { "Retry-After": "2" });
  });

  it("passes on what the object itself threw, without asking again", async () => {
    const { call, calls } = objectThat([bug()]);
    await expect(reach(call)).rejects.toThrow("This run was never started.");
    expect(calls).toEqual([1]);
  });

  it("passes on what the object threw the second time", async () => {
    const { call } = objectThat([lost(), bug()]);
    await expect(reach(call)).rejects.toThrow("This run was never started.");
  });
});
