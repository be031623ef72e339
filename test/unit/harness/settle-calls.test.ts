/** The calls of one model message: reads together, the rest one by one, and nothing that changes anything unasked. */

import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/contract/app-error.ts";
import { settleCalls } from "../../../src/harness/settle-calls.ts";
import type { Tool, ToolContext } from "../../../src/harness/tools/tool.ts";
import type { CallState, ToolCall } from "../../../src/harness/turn.ts";
import { WorkspaceError } from "../../../src/workspace/workspace.ts";
import { modelAt } from "../../support/ask-model.ts";
import { callOf, editTool, loopWorld, readTool } from "../../support/loop-world.ts";

/** Never asked in these tests. */
const model = modelAt("http://127.0.0.1:1");

const running = new AbortController().signal;

const pending: CallState = { type: "pending" };

/** Calls of these tools, in this order, `1-0` first. */
const callsOf = (tools: readonly Tool[], state: CallState = pending): ToolCall[] =>
  tools.map((tool, index) => callOf(tool, state, { toolCallId: `1-${index}`, toolUseId: `toolu_${index}` }));

const world = (tools: readonly Tool[], overrides: Parameters<typeof loopWorld>[2] = {}) =>
  loopWorld(model, tools, overrides);

const allowAll = {
  gate: {
    refusal: () => undefined,
    runsUnasked: (kind: string) => kind === "read",
    elsewhere: () => undefined,
    mayBecomeRule: () => true,
    isCovered: async () => true,
  },
};

const answersOf = (settled: readonly ToolCall[] | "waiting") =>
  settled === "waiting" ? settled : settled.map(({ state }) => (state.type === "ended" ? state.result : state.type));

describe("reads", () => {
  it("run at once and together", async () => {
    const bothRun = Promise.withResolvers<void>();
    const first = readTool("first", { run: async () => bothRun.promise.then(() => ({ output: "1", isError: false })) });
    const second = readTool("second", {
      run: async () => {
        bothRun.resolve();
        return { output: "2", isError: false };
      },
    });
    const settled = await settleCalls(callsOf([first, second]), world([first, second]), running);
    expect(answersOf(settled)).toEqual([
      { status: "completed", output: "1" },
      { status: "completed", output: "2" },
    ]);
  });

  it("are neither asked for nor marked as started", async () => {
    const deps = world([readTool("read_file")]);
    await settleCalls(callsOf([readTool("read_file")]), deps, running);
    expect(deps.journal.commits).toEqual(["end 1-0 completed"]);
  });

  it("run before the edits they were called with", async () => {
    const tools = [editTool("edit_file"), readTool("read_file")];
    const deps = world(tools);
    expect(await settleCalls(callsOf(tools), deps, running)).toBe("waiting");
    expect(deps.journal.commits).toEqual(["end 1-1 completed", "ask 1-0"]);
  });

  it("that fail leave the others alone", async () => {
    const tools = [
      readTool("bad", { run: async () => ({ output: "No such file.", isError: true }) }),
      readTool("good"),
    ];
    const settled = await settleCalls(callsOf(tools), world(tools), running);
    expect(answersOf(settled)).toEqual([
      { status: "failed", output: "No such file." },
      { status: "completed", output: "done" },
    ]);
  });
});

describe("edits and commands", () => {
  it("wait for a person, one at a time", async () => {
    const tools = [editTool("edit_file"), editTool("write_file")];
    const deps = world(tools);
    expect(await settleCalls(callsOf(tools), deps, running)).toBe("waiting");
    expect(deps.journal.commits).toEqual(["ask 1-0"]);
    expect(deps.journal.asks[0]).toMatchObject({ subject: { type: "edit", path: "src/a.ts", diff: "+x" } });
  });

  it("go on waiting until somebody has answered", async () => {
    const deps = world([editTool("edit_file")]);
    expect(await settleCalls(callsOf([editTool("edit_file")], { type: "asking" }), deps, running)).toBe("waiting");
    expect(deps.journal.commits).toEqual([]);
  });

  it("run once they are allowed, the next being asked for only then", async () => {
    const tools = [editTool("edit_file"), editTool("write_file")];
    const deps = world(tools);
    const calls = [...callsOf(tools.slice(0, 1), { type: "allowed" }), ...callsOf(tools).slice(1)];
    expect(await settleCalls(calls, deps, running)).toBe("waiting");
    expect(deps.journal.commits).toEqual(["started 1-0", "end 1-0 completed", "ask 1-1"]);
  });

  it("follow one another, where rules cover them", async () => {
    const tools = [editTool("edit_file"), editTool("write_file")];
    const deps = world(tools, allowAll);
    await settleCalls(callsOf(tools), deps, running);
    expect(deps.journal.commits).toEqual([
      ...["allow_by_rule 1-0", "started 1-0", "end 1-0 completed"],
      ...["allow_by_rule 1-1", "started 1-1", "end 1-1 completed"],
    ]);
  });

  it("that a person rejected are not run, and the model reads why", async () => {
    const deps = world([editTool("edit_file")]);
    const settled = await settleCalls(
      callsOf([editTool("edit_file")], { type: "rejected", reason: "Not now." }),
      deps,
      running,
    );
    expect(answersOf(settled)).toEqual([{ status: "denied", output: "Not now." }]);
    expect(deps.journal.commits).toEqual(["end 1-0 denied"]);
  });

  it("pass on their key, their signal and their output", async () => {
    const seen: ToolContext[] = [];
    const shell = editTool("run_shell", {
      run: async (ctx) => {
        seen.push(ctx);
        ctx.output("stdout", "ok\n");
        return { output: "ok", isError: false };
      },
    });
    const deps = world([shell], allowAll);
    await settleCalls(callsOf([shell]), deps, running);
    expect([seen[0]?.callKey, seen[0]?.signal]).toEqual(["run:r1:1-0", running]);
    expect(deps.journal.deltas).toEqual(["stdout 1-0 ok\n"]);
  });

  it("end with the change they made to a file", async () => {
    const fileChange = { path: "src/a.ts", operation: "update", diff: "+x" } as const;
    const edit = editTool("edit_file", { run: async () => ({ output: "done", isError: false, fileChange }) });
    const deps = world([edit], allowAll);
    await settleCalls(callsOf([edit]), deps, running);
    expect(deps.journal.fileChanges).toEqual([fileChange]);
  });

  it("are handed what was shown of them, with what that was made from", async () => {
    const seen: ToolContext[] = [];
    const edit = editTool("edit_file", {
      propose: async () => ({ subject: { type: "edit", path: "src/a.ts", diff: "+x" }, basis: "hash" }),
      run: async (ctx) => {
        seen.push(ctx);
        return { output: "done", isError: false };
      },
    });
    await settleCalls(callsOf([edit]), world([edit], allowAll), running);
    expect(seen[0]?.shown).toMatchObject({ subject: { type: "edit", diff: "+x" }, basis: "hash" });
  });

  it("end unknown, with their own words, where they were broken off", async () => {
    const shell = editTool("run_shell", { run: async () => ({ output: "Stopped.", isError: true, isUnknown: true }) });
    const settled = await settleCalls(callsOf([shell]), world([shell], allowAll), running);
    expect(answersOf(settled)).toEqual([{ status: "unknown", output: "Stopped." }]);
  });

  it("end aborted where the run was stopped before they did anything", async () => {
    const edit = editTool("edit_file", { run: async () => "no_effect" });
    const settled = await settleCalls(callsOf([edit]), world([edit], allowAll), running);
    expect(answersOf(settled)).toEqual([{ status: "aborted", output: expect.stringContaining("the run was stopped") }]);
  });

  it("show the input that will run", async () => {
    const edit = editTool("edit_file");
    const deps = world([edit]);
    await settleCalls([callOf(edit, pending, { input: { path: "b.ts" } })], deps, running);
    expect(deps.journal.asks[0]).toMatchObject({ subject: { type: "edit", path: "src/b.ts" } });
  });
});

describe("a standing rule", () => {
  it("is looked up again for each call, since it can be revoked in between", async () => {
    const rules = [true, false];
    const gate = { ...allowAll.gate, isCovered: async () => rules.shift() ?? false };
    const tools = [editTool("edit_file"), editTool("write_file")];
    const deps = world(tools, { gate });
    expect(await settleCalls(callsOf(tools), deps, running)).toBe("waiting");
    expect(deps.journal.commits).toEqual(["allow_by_rule 1-0", "started 1-0", "end 1-0 completed", "ask 1-1"]);
  });

  it("covers no call that may not become a rule", async () => {
    const many = editTool("delete-stock", { mayBecomeRule: false });
    const deps = world([many], allowAll);
    expect(await settleCalls(callsOf([many]), deps, running)).toBe("waiting");
  });

  it("covers no call for which the run offers none", async () => {
    const gate = { ...allowAll.gate, mayBecomeRule: () => false };
    const deps = world([editTool("edit_file")], { gate });
    expect(await settleCalls(callsOf([editTool("edit_file")]), deps, running)).toBe("waiting");
    expect(deps.journal.asks[0]?.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
  });

  it("covers no call whose subject is shown in part only", async () => {
    const deps = world([editTool("edit_file")], { ...allowAll, isSubjectCut: () => true });
    expect(await settleCalls(callsOf([editTool("edit_file")]), deps, running)).toBe("waiting");
    expect(deps.journal.asks[0]?.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
  });
});

describe("a call that cannot be made ends failed without asking", () => {
  it.each<[string, Tool[], string]>([
    [
      "its tool does not exist",
      [readTool("read_file"), editTool("add-stock")],
      "There is no tool named edit_file. The tools are: read_file, add-stock.",
    ],
    [
      "its input is not sound",
      [{ ...editTool("edit_file"), prepare: () => ({ problem: "path: say which." }) }],
      "path: say which.",
    ],
    [
      "what it would do cannot be found out",
      [editTool("edit_file", { propose: () => Promise.reject(new AppError(404, "No such stock.")) })],
      "No such stock.",
    ],
    [
      "the workspace refuses it",
      [editTool("edit_file", { propose: () => Promise.reject(new WorkspaceError("refused", "a.ts is guarded.")) })],
      "a.ts is guarded.",
    ],
  ])("where %s", async (_, tools, output) => {
    const deps = world(tools, allowAll);
    const settled = await settleCalls(callsOf([editTool("edit_file")]), deps, running);
    expect(answersOf(settled)).toEqual([{ status: "failed", output }]);
    expect(deps.journal.commits).toEqual(["end 1-0 failed"]);
  });

  it.each([
    ["long", `${"x".repeat(63)}😀${"y".repeat(5_000)}`, "x".repeat(63)],
    ["no Unicode", "x\ud83dy", "x\ufffdy"],
  ])("where its tool's name is %s, which is told in part", async (_, name, shown) => {
    const settled = await settleCalls(callsOf([editTool(name)]), world([readTool("read_file")]), running);
    const output = `There is no tool named ${shown}. The tools are: read_file.`;
    expect(answersOf(settled)).toEqual([{ status: "failed", output }]);
  });

  it("where its tool changes something but cannot show it", async () => {
    const tool: Tool = { ...readTool("edit_file"), kind: "edit" };
    const deps = world([tool], allowAll);
    const settled = await settleCalls(callsOf([tool]), deps, running);
    expect(answersOf(settled)).toEqual([{ status: "failed", output: "edit_file cannot say what it would do." }]);
  });
});

it("a call that has ended is not made again, and keeps its place", async () => {
  const tools = [readTool("first"), readTool("second")];
  const deps = world(tools);
  const ended: CallState = { type: "ended", result: { status: "completed", output: "known" } };
  const calls = [...callsOf(tools).slice(0, 1), ...callsOf(tools, ended).slice(1)];
  expect(answersOf(await settleCalls(calls, deps, running))).toEqual([
    { status: "completed", output: "done" },
    { status: "completed", output: "known" },
  ]);
  expect(deps.journal.commits).toEqual(["end 1-0 completed"]);
});
