/** Calls after a crash and in a run that is being stopped: done once, undone never, and `unknown` only where nobody can tell. */
import { describe, expect, it } from "vitest";
import { INTERRUPTED, settleCalls } from "../../../src/harness/settle-calls.ts";
import type { PreparedCall, Tool } from "../../../src/harness/tools/tool.ts";
import type { CallState } from "../../../src/harness/turn.ts";
import { modelAt } from "../../support/ask-model.ts";
import { callOf, editTool, loopWorld, readTool } from "../../support/loop-world.ts";

const running = new AbortController().signal;
const stopped = AbortSignal.abort();

/** Settles one call from `state`; what came of it and what was committed. */
const settle = async (tool: Tool, state: CallState, signal = running, tools: readonly Tool[] = [tool]) => {
  const deps = loopWorld(modelAt("http://127.0.0.1:1"), tools);
  const settled = await settleCalls([callOf(tool, state)], deps, signal);
  const ended = settled === "waiting" ? undefined : settled[0]?.state;
  return { result: ended?.type === "ended" ? ended.result : settled, commits: deps.journal.commits };
};

/** An edit that counts how often it is done. */
const countedEdit = (behaviour: Partial<PreparedCall> = {}) => {
  const runs: string[] = [];
  const tool = editTool("edit_file", {
    run: async ({ callKey }) => {
      runs.push(callKey);
      return { output: "done", isError: false };
    },
    ...behaviour,
  });
  return { tool, runs };
};

const started: CallState = { type: "started" };

describe("a call that a crash left started", () => {
  it("is run again with the same key where that is safe", async () => {
    const { tool, runs } = countedEdit({ recover: async () => "rerun" });
    const { result, commits } = await settle(tool, started);
    expect([result, commits, runs]).toEqual([
      { status: "completed", output: "done" },
      ["end 1-0 completed"],
      ["run:r1:1-0"],
    ]);
  });

  it("ends with its true result where that can be found, and is not run again", async () => {
    const { tool, runs } = countedEdit({ recover: async () => ({ output: "It was done.", isError: false }) });
    const { result } = await settle(tool, started);
    expect([result, runs]).toEqual([{ status: "completed", output: "It was done." }, []]);
  });

  it("ends failed where that is its true result", async () => {
    const { tool } = countedEdit({ recover: async () => ({ output: "exit 1", isError: true }) });
    expect((await settle(tool, started)).result).toEqual({ status: "failed", output: "exit 1" });
  });

  it("ends aborted where it provably did nothing", async () => {
    const { tool, runs } = countedEdit({ recover: async () => "no_effect" });
    expect([(await settle(tool, started, stopped)).result, runs]).toEqual([
      { status: "aborted", output: INTERRUPTED },
      [],
    ]);
  });

  it.each<[string, Partial<PreparedCall>]>([
    ["its tool cannot tell", { recover: async () => "unknown" }],
    ["its tool has no way to find out", {}],
    ["finding out fails", { recover: () => Promise.reject(new Error("Workspace unreachable.")) }],
  ])("ends unknown where %s, and is not run again", async (_, behaviour) => {
    const { tool, runs } = countedEdit(behaviour);
    const { result, commits } = await settle(tool, started);
    expect(result).toEqual({
      status: "unknown",
      output: expect.stringContaining("it is not known whether this took effect"),
    });
    expect([commits, runs]).toEqual([["end 1-0 unknown"], []]);
  });

  it.each<[string, Tool[]]>([
    ["is gone since a deploy", []],
    ["takes its input no more", [{ ...editTool("edit_file"), prepare: () => ({ problem: "path: say which." }) }]],
  ])("ends unknown where its tool %s: it may have had its effect", async (_, tools) => {
    expect((await settle(editTool("edit_file"), started, running, tools)).result).toMatchObject({ status: "unknown" });
  });
});

describe("a call that a crash left before its effect", () => {
  it("is run when it had been allowed", async () => {
    const { tool, runs } = countedEdit();
    expect((await settle(tool, { type: "allowed" })).commits).toEqual(["started 1-0", "end 1-0 completed"]);
    expect(runs).toHaveLength(1);
  });

  it("is run when it is a read, however far it had come", async () => {
    expect((await settle(readTool("read_file"), { type: "pending" })).commits).toEqual(["end 1-0 completed"]);
  });
});

describe("in a run that is being stopped", () => {
  it.each<[string, Tool, CallState]>([
    ["a read", readTool("read_file"), { type: "pending" }],
    ["an edit nobody was asked about", editTool("edit_file"), { type: "pending" }],
    ["an edit somebody is asked about", editTool("edit_file"), { type: "asking" }],
    ["an edit that was allowed", editTool("edit_file"), { type: "allowed" }],
  ])("%s is not run and ends aborted", async (_, tool, state) => {
    const { result, commits } = await settle(tool, state, stopped);
    expect([result, commits]).toEqual([{ status: "aborted", output: INTERRUPTED }, ["end 1-0 aborted"]]);
  });

  it("a rejected call keeps its reason", async () => {
    const { result } = await settle(editTool("edit_file"), { type: "rejected", reason: "Not now." }, stopped);
    expect(result).toEqual({ status: "denied", output: "Not now." });
  });

  it("a call is not started while its subject is being found out", async () => {
    const abort = new AbortController();
    const { tool, runs } = countedEdit({
      propose: async () => {
        abort.abort();
        return { subject: { type: "edit", path: "src/a.ts", diff: "+x" } };
      },
    });
    const { commits } = await settle(tool, { type: "pending" }, abort.signal);
    expect([commits, runs]).toEqual([["end 1-0 aborted"], []]);
  });

  it("an edit under way is awaited and ends with its true result", async () => {
    const abort = new AbortController();
    const tool = editTool("edit_file", {
      run: async () => {
        abort.abort();
        return { output: "done", isError: false };
      },
    });
    const { result } = await settle(tool, { type: "allowed" }, abort.signal);
    expect(result).toEqual({ status: "completed", output: "done" });
  });

  it("a read under way is left behind at once", async () => {
    const abort = new AbortController();
    const tool = readTool("read_file", {
      run: () => {
        abort.abort();
        return new Promise(() => undefined);
      },
    });
    const { result } = await settle(tool, { type: "pending" }, abort.signal);
    expect(result).toEqual({ status: "aborted", output: INTERRUPTED });
  });
});
