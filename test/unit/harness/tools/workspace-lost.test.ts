/** Tools whose workspace cannot be reached: reads say so, and nothing that may have been done counts as not done. */
import { describe, expect, it, onTestFinished } from "vitest";
import { STOPPED_WAIT_MS } from "../../../../src/harness/tools/run-shell.ts";
import type { PreparedCall, ToolContext } from "../../../../src/harness/tools/tool.ts";
import { workspaceTools } from "../../../../src/harness/tools/workspace-tools.ts";
import { UNREACHABLE } from "../../../../src/workspace/host/host-answer.ts";
import { HostWorkspace } from "../../../../src/workspace/host/host-workspace.ts";
import { WorkspaceError } from "../../../../src/workspace/workspace.ts";
import { openHostWorkspace } from "../../../support/host-workspace.ts";
import { nodeFetch } from "../../../support/node-fetch.ts";
import { watchTimers } from "../../../support/watch-timers.ts";

/** Nothing listens there. */
const lost = new HostWorkspace({ url: "http://127.0.0.1:1", token: "t" }, nodeFetch);
const tools = new Map(workspaceTools(async () => lost).map((tool) => [tool.name, tool]));

const prepare = (name: string, input: Readonly<Record<string, unknown>>): PreparedCall => {
  const prepared = tools.get(name)?.prepare(input) ?? { problem: `no tool ${name}` };
  if ("problem" in prepared) throw new Error(prepared.problem);
  return prepared;
};

const ctx = (more: Partial<ToolContext> = {}): ToolContext => ({
  ...{ callKey: "run:r1:1-0", signal: new AbortController().signal, output: () => undefined },
  ...more,
});

describe("a workspace that cannot be reached", () => {
  it.each([
    ["read_file", { path: "a" }],
    ["list_files", {}],
    ["search_files", { pattern: "a" }],
  ])("fails %s with words that say so", async (name, input) => {
    expect(await prepare(name, input).run(ctx())).toEqual({ output: UNREACHABLE.gone, isError: true });
  });

  it.each([
    ["write_file", { path: "a", content: "" }],
    ["edit_file", { path: "a", oldText: "a", newText: "b" }],
    ["delete_file", { path: "a" }],
    ["run_shell", { command: "ls" }],
  ])("refuses %s before anybody is asked", async (name, input) => {
    await expect(prepare(name, input).propose?.()).rejects.toEqual(new WorkspaceError("unavailable", UNREACHABLE.gone));
  });

  it("runs no command that was allowed before, and says so", async () => {
    const result = await prepare("run_shell", { command: "ls" }).run(ctx());
    expect(result).toEqual({ output: UNREACHABLE.gone, isError: true });
  });

  it("leaves no time limit behind when a stopped run gives up on a command, which would keep it in memory", async () => {
    const timers = watchTimers();
    const stopped = ctx({ signal: AbortSignal.abort() });
    expect(await prepare("run_shell", { command: "ls" }).recover?.(stopped)).toBe("unknown");
    expect([timers.set(STOPPED_WAIT_MS), timers.left(STOPPED_WAIT_MS)]).toEqual([1, 0]);
  });

  it("leaves unknown what became of a command that a crash interrupted", async () => {
    expect(await prepare("run_shell", { command: "ls" }).recover?.(ctx())).toBe("unknown");
  });
});

it("leaves unknown whether a command ran whose server was lost once it was asked", async () => {
  const host = await openHostWorkspace();
  onTestFinished(() => host.close());
  const cut = new HostWorkspace(host.server, (url, init) =>
    nodeFetch(url.endsWith("/stat") ? url : "http://127.0.0.1:1", init),
  );
  const call = workspaceTools(async () => cut)
    .find(({ name }) => name === "run_shell")
    ?.prepare({ command: "ls" });
  expect(call !== undefined && "run" in call && (await call.run(ctx()))).toEqual({
    output: expect.stringMatching(/not known whether it finished/),
    isError: true,
    isUnknown: true,
  });
});

describe("a run that was stopped before its call began", () => {
  it("has no effect", async () => {
    expect(await prepare("run_shell", { command: "ls" }).run(ctx({ signal: AbortSignal.abort() }))).toBe("no_effect");
  });
});

describe("a change of which nobody knows what was shown", () => {
  it("is not made after a crash", async () => {
    expect(await prepare("write_file", { path: "a", content: "" }).recover?.(ctx())).toBe("unknown");
  });
});
