/** Actions as tools of the agent: what they are called with, what the model reads, and what a crash makes of them. */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { Action } from "../../../src/actions/define-action.ts";
import { AGENT_ACTIONS } from "../../../src/actions/registry.ts";
import { AppError } from "../../../src/contract/app-error.ts";
import { toolResultMessage } from "../../../src/harness/anthropic/tool-results.ts";
import { type ActionCalls, actionTool } from "../../../src/harness/tools/action-tool.ts";
import type { PreparedCall, Tool } from "../../../src/harness/tools/tool.ts";
import type { CallResult } from "../../../src/harness/turn.ts";
import { callOf, readTool } from "../../support/loop-world.ts";

/** The world of actions that answer `{deleted: ["a"]}`; `made` are the calls it got. */
const startWorld = (overrides: Partial<ActionCalls> = {}) => {
  const made: unknown[] = [];
  const calls: ActionCalls = {
    run: async ({ name }, input, callKey) => {
      made.push([name, input, callKey]);
      return { deleted: ["a"] };
    },
    before: async () => undefined,
    find: async () => undefined,
    claim: async () => undefined,
    ...overrides,
  };
  const tool = (name: string): Tool => actionTool(actionOf(name), calls);
  return { made, tool, prepare: (name: string, input: Record<string, unknown>) => sound(tool(name).prepare(input)) };
};

const actionOf = (name: string): Action => {
  const action = AGENT_ACTIONS.find((one) => one.name === name);
  if (action === undefined) throw new Error(`There is no action ${name}.`);
  return action;
};

const sound = (prepared: ReturnType<Tool["prepare"]>): PreparedCall => {
  if ("problem" in prepared) throw new Error(prepared.problem);
  return prepared;
};

const ctx = (signal = new AbortController().signal) => ({ callKey: "run:r1:1-0", signal, output: () => undefined });

/** Fails this often, then answers; `keys` are the keys of its calls. */
const storageThatFails = (times: number) => {
  const keys: string[] = [];
  const run: ActionCalls["run"] = async (_, __, callKey) => {
    keys.push(callKey);
    if (keys.length <= times) throw new Error("D1_ERROR: storage is restarting.");
    return { deleted: [] };
  };
  return { run, keys };
};

afterEach(() => {
  vi.useRealTimers();
});

describe("a tool", () => {
  it.each([
    ["list-stocks", "read"],
    ["get-stock", "read"],
    ["view-screen", "read"],
    ["add-stock", "edit"],
    ["update-stock", "edit"],
    ["delete-stock", "edit"],
  ])("of %s is of kind %s", (name, kind) => {
    expect(startWorld().tool(name).kind).toBe(kind);
  });

  it("tells the model what is wrong with its input, and runs nothing", () => {
    const { made, tool } = startWorld();
    expect(tool("delete-stock").prepare({})).toEqual({ problem: expect.stringContaining("give either id or ids") });
    expect(tool("add-stock").prepare({ symbol: "AAPL", price: "1" })).toEqual({
      problem: expect.stringContaining("price"),
    });
    expect(made).toEqual([]);
  });

  it("runs the action with the checked input under the key of the call", async () => {
    const { made, prepare } = startWorld();
    expect(await prepare("delete-stock", { id: "a" }).run(ctx())).toEqual({
      output: '{"deleted":["a"]}',
      isError: false,
    });
    expect(made).toEqual([["delete-stock", { id: "a" }, "run:r1:1-0"]]);
  });

  it("gives lists last, so that a cut never takes a cursor or a sum", async () => {
    const items = Array.from({ length: 200 }, (_, index) => ({ symbol: `S${index}`, notes: "n".repeat(4_000) }));
    const { prepare } = startWorld({
      run: async () => ({ items, total: 900, nextCursor: "next", totals: [{ currency: "EUR" }], base: { rates: {} } }),
    });
    const run = async (): Promise<CallResult> => {
      const { output } = z.object({ output: z.string() }).parse(await prepare("list-stocks", {}).run(ctx()));
      return { status: "completed", output };
    };
    const calls = [await run(), await run()].map((result, index) =>
      callOf(readTool("list-stocks"), { type: "ended", result }, { toolCallId: `1-${index}` }),
    );
    expect(toolResultMessage(calls).content).toEqual(
      calls.map(() =>
        expect.objectContaining({
          content: expect.stringMatching(
            /^\{"total":900,"nextCursor":"next","base":\{"rates":\{\}\},"totals":\[.*\],"items":\[/,
          ),
        }),
      ),
    );
  });

  it("gives a stored answer in the same order", async () => {
    const find = async () => '{"results":[{"outcome":"added"}],"added":1}';
    const { run } = storageThatFails(1_000);
    vi.useFakeTimers();
    const result = startWorld({ run, find }).prepare("add-stock", { symbol: "AAPL" }).run(ctx());
    await vi.runAllTimersAsync();
    expect(await result).toMatchObject({ output: '{"added":1,"results":[{"outcome":"added"}]}' });
  });

  it("says on one line what it would do", () => {
    const { prepare } = startWorld();
    expect([
      prepare("add-stock", { symbol: "AAPL" }).title,
      prepare("add-stock", { items: [{ symbol: "AAPL" }], onConflict: "update" }).title,
      prepare("delete-stock", { ids: ["a", "b"] }).title,
      prepare("delete-stock", { ids: ["a"] }).title,
    ]).toEqual(["Add AAPL", "Add or change 1 stock", "Delete 2 stocks", "Delete 1 stock"]);
  });

  it("shows the input as the model gave it, with what is there now", async () => {
    const { prepare } = startWorld({ before: async () => ({ shown: [{ symbol: "AAPL" }], basis: "a:1" }) });
    expect(await prepare("delete-stock", { id: "a" }).propose?.()).toEqual({
      subject: { type: "action", name: "delete-stock", input: { id: "a" }, before: [{ symbol: "AAPL" }] },
      basis: "a:1",
    });
  });

  it("looks again at what is there when its storage fails", async () => {
    vi.useFakeTimers();
    const answers = [
      Promise.reject(new Error("D1_ERROR: storage is restarting.")),
      Promise.resolve({ shown: { symbol: "AAPL" } }),
    ];
    const { prepare } = startWorld({ before: () => answers.shift() ?? Promise.reject(new Error("Asked too often.")) });
    const proposal = prepare("delete-stock", { id: "a" }).propose?.();
    await vi.advanceTimersByTimeAsync(200);
    expect(await proposal).toMatchObject({ subject: { before: { symbol: "AAPL" } } });
  });

  it("shows no `before` where there is none", async () => {
    const { prepare } = startWorld();
    expect(await prepare("add-stock", { symbol: "AAPL" }).propose?.()).toEqual({
      subject: { type: "action", name: "add-stock", input: { symbol: "AAPL" } },
    });
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ["add-stock", { symbol: "AAPL" }, true],
    ["add-stock", { items: [{ symbol: "AAPL" }] }, false],
    ["delete-stock", { id: "a" }, true],
    ["delete-stock", { ids: ["a", "b"] }, false],
    ["update-stock", { id: "a", set: { notes: "x" } }, true],
  ])("may become a rule (api.md §4): %s %j: %j", (name, input, mayBecomeRule) => {
    expect(startWorld().prepare(name, input).mayBecomeRule).toBe(mayBecomeRule);
  });
});

describe("an action that does not work", () => {
  it("refuses in words for the model", async () => {
    const refusal = new AppError(409, "AAPL is already in your list.");
    const { prepare } = startWorld({ run: () => Promise.reject(refusal) });
    expect(await prepare("add-stock", { symbol: "AAPL" }).run(ctx())).toEqual({
      output: "AAPL is already in your list.",
      isError: true,
    });
  });

  it("is tried again under the same key when its storage fails", async () => {
    const { run, keys } = storageThatFails(2);
    const result = await startWorld({ run }).prepare("delete-stock", { id: "a" }).run(ctx());
    expect([result, keys]).toEqual([
      { output: '{"deleted":[]}', isError: false },
      ["run:r1:1-0", "run:r1:1-0", "run:r1:1-0"],
    ]);
  });

  it("outlives an outage of six seconds", async () => {
    vi.useFakeTimers();
    const { run, keys } = storageThatFails(5);
    const result = startWorld({ run }).prepare("delete-stock", { id: "a" }).run(ctx());
    await vi.advanceTimersByTimeAsync(6_200);
    expect(await result).toEqual({ output: '{"deleted":[]}', isError: false });
    expect(new Set(keys)).toEqual(new Set(["run:r1:1-0"]));
  });

  it("is tried again under the same key when its storage says nothing", async () => {
    vi.useFakeTimers();
    const keys: string[] = [];
    const run: ActionCalls["run"] = (_, __, callKey) => {
      keys.push(callKey);
      return keys.length === 1 ? new Promise(() => undefined) : Promise.resolve({ deleted: [] });
    };
    const result = startWorld({ run }).prepare("delete-stock", { id: "a" }).run(ctx());
    await vi.advanceTimersByTimeAsync(15_200);
    expect([await result, keys]).toEqual([{ output: '{"deleted":[]}', isError: false }, ["run:r1:1-0", "run:r1:1-0"]]);
  });

  it("is given up after six tries", async () => {
    vi.useFakeTimers();
    const { run, keys } = storageThatFails(6);
    const result = startWorld({ run }).prepare("delete-stock", { id: "a" }).run(ctx());
    const given = expect(result).rejects.toThrow("D1_ERROR");
    await vi.advanceTimersByTimeAsync(6_200);
    await given;
    expect(keys).toHaveLength(6);
  });

  it("is not tried again in a run that is being stopped", async () => {
    const { run, keys } = storageThatFails(6);
    const result = startWorld({ run }).prepare("delete-stock", { id: "a" }).run(ctx(AbortSignal.abort()));
    await expect(result).rejects.toThrow("D1_ERROR");
    expect(keys).toHaveLength(1);
  });

  it("whose answers were all lost is completed by the one that was stored with its effect", async () => {
    vi.useFakeTimers();
    const { run } = storageThatFails(6);
    const find = async () => '{"deleted":["a"]}';
    const result = startWorld({ run, find }).prepare("delete-stock", { id: "a" }).run(ctx());
    await vi.advanceTimersByTimeAsync(6_200);
    expect(await result).toEqual({
      output: '{"deleted":["a"]}',
      isError: false,
    });
  });
});

describe("an action that a crash left started", () => {
  it("is run again: its key returns the first answer", async () => {
    expect(await startWorld().prepare("delete-stock", { id: "a" }).recover?.(ctx())).toBe("rerun");
  });

  it("in a run that is being stopped returns the answer it had, and is not run", async () => {
    const { made, prepare } = startWorld({ claim: async () => '{"deleted":["a"]}' });
    const found = await prepare("delete-stock", { id: "a" }).recover?.(ctx(AbortSignal.abort()));
    expect([found, made]).toEqual([{ output: '{"deleted":["a"]}', isError: false }, []]);
  });

  it("in a run that is being stopped had no effect where no answer is stored", async () => {
    expect(await startWorld().prepare("delete-stock", { id: "a" }).recover?.(ctx(AbortSignal.abort()))).toBe(
      "no_effect",
    );
  });
});
