/** A turn that was interrupted, waited or was stopped at any commit continues from there, and ends as it should. */
import { describe, expect, inject, it } from "vitest";
import { runTurn } from "../../../src/harness/anthropic/loop.ts";
import type { Tool } from "../../../src/harness/tools/tool.ts";
import type { CallState } from "../../../src/harness/turn.ts";
import { modelAt } from "../../support/ask-model.ts";
import { editTool, type LoopWorld, loopWorld, readTool } from "../../support/loop-world.ts";
import { callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { cutMidEvent, unauthorized } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

const allowAll = {
  gate: {
    refusal: () => undefined,
    runsUnasked: (kind: string) => kind === "read",
    elsewhere: () => undefined,
    mayBecomeRule: () => true,
    isCovered: async () => true,
  },
};

const calls = callTools([
  { name: "read_file", input: {}, id: "toolu_read" },
  { name: "edit_file", input: {}, id: "toolu_edit" },
]);

const completed = { type: "ended", status: "completed", stopReason: "end_turn", error: null };

/** A turn that can be run several times over, each time from what the journal holds. */
const start = async (replies: readonly Reply[], overrides: Partial<LoopWorld> = allowAll) => {
  const script = await scriptModel(modelUrl, replies);
  const effects: string[] = [];
  const edit = editTool("edit_file", {
    run: async ({ callKey }) => {
      effects.push(callKey);
      return { output: "done", isError: false };
    },
    recover: async () => "rerun",
  });
  const tools: Tool[] = [readTool("read_file"), edit];
  const deps = loopWorld(modelAt(modelUrl), tools, overrides);
  const prompt = script.prompt("Hi");
  const run = (signal = new AbortController().signal) => runTurn(deps.journal.progress(prompt), deps, signal);
  return { script, deps, effects, run, messages: () => deps.journal.progress(prompt).messages.slice(1) };
};

type Started = Awaited<ReturnType<typeof start>>;

/** Runs until `commit` is written and dies right after it. */
const dieBehind = async (commit: string, { deps, run }: Started): Promise<void> => {
  deps.journal.afterCommit = (line) => {
    if (line === commit) throw new Error("The instance died.");
  };
  await expect(run()).rejects.toThrow("The instance died.");
  deps.journal.afterCommit = () => undefined;
};

describe("a turn whose instance dies", () => {
  it.each([
    ["open m1", [calls, calls, say("Done.")]],
    ["close 1 tool_use", [calls, say("Done.")]],
    ["end 1-0 completed", [calls, say("Done.")]],
    ["allow_by_rule 1-1", [calls, say("Done.")]],
    ["started 1-1", [calls, say("Done.")]],
    ["end 1-1 completed", [calls, say("Done.")]],
    ["open m2", [calls, say("Done."), say("Done.")]],
    ["close 2 end_turn", [calls, say("Done.")]],
  ])("behind `%s` goes on to the end it would have had, its effect done once", async (commit, replies) => {
    const turn = await start(replies);
    await dieBehind(commit, turn);
    expect(await turn.run()).toEqual(completed);
    expect(turn.messages()).toEqual([
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "toolu_read", name: "read_file", input: {} },
          { type: "tool_use", id: "toolu_edit", name: "edit_file", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_read", content: "done" },
          { type: "tool_result", tool_use_id: "toolu_edit", content: "done" },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
    ]);
    expect([turn.effects, await turn.script.violations()]).toEqual([["run:r1:1-1"], []]);
    expect(turn.deps.journal.commits.filter((line) => line.startsWith("end "))).toHaveLength(2);
  });

  it("after its last failed try ends failed, as it would have", async () => {
    const turn = await start([...Array.from({ length: 4 }, () => cutMidEvent("Hel")), unauthorized()]);
    await dieBehind("close 1 error", turn);
    expect(await turn.run()).toMatchObject({ status: "failed", stopReason: "error" });
  });

  it.each([
    ["max_tokens", { status: "incomplete", stopReason: "max_tokens", error: null }],
    ["refusal", { status: "completed", stopReason: "refusal", error: null }],
  ])("behind a message that ended in %s ends as it would have, without another call", async (stopReason, outcome) => {
    const turn = await start([say("So far", { stopReason })]);
    await dieBehind(`close 1 ${stopReason}`, turn);
    expect(await turn.run()).toEqual({ type: "ended", ...outcome });
    expect(await turn.script.requests()).toHaveLength(1);
  });
});

describe("a turn that waits for a person", () => {
  const waiting = async () => {
    const turn = await start([calls, say("Done.")], {});
    expect(await turn.run()).toEqual({ type: "waiting" });
    return turn;
  };

  it("goes on waiting when it is looked at too early", async () => {
    const turn = await waiting();
    expect(await turn.run()).toEqual({ type: "waiting" });
    expect(turn.deps.journal.commits.filter((line) => line === "ask 1-1")).toHaveLength(1);
  });

  it.each<[string, CallState, string, string[]]>([
    ["that was allowed does it", { type: "allowed" }, "end 1-1 completed", ["run:r1:1-1"]],
    ["that was rejected tells the model", { type: "rejected", reason: "Not now." }, "end 1-1 denied", []],
  ])("%s, and goes on", async (_, answer, end, effects) => {
    const turn = await waiting();
    turn.deps.journal.setState("1-1", answer);
    expect(await turn.run()).toEqual(completed);
    expect(turn.deps.journal.commits.slice(-3)).toEqual([end, "open m2", "close 2 end_turn"]);
    expect(turn.effects).toEqual(effects);
  });

  it("says what the person said to the model", async () => {
    const turn = await waiting();
    turn.deps.journal.setState("1-1", { type: "rejected", reason: "They said: use tabs." });
    await turn.run();
    expect(JSON.stringify((await turn.script.requests())[1]?.body)).toContain("They said: use tabs.");
  });
});

it("a turn that has had its 100 model calls is not given another one by a restart", async () => {
  const { deps, script } = await start([say("never asked for")]);
  const progress = { messages: [], steps: 100, answer: { stopReason: "pause_turn", calls: [] }, lastUsage: undefined };
  expect([await runTurn(progress, deps, new AbortController().signal), await script.requests()]).toEqual([
    { type: "ended", status: "incomplete", stopReason: "max_steps", error: null },
    [],
  ]);
});

describe("a turn that is stopped", () => {
  const aborted = { type: "ended", status: "aborted", stopReason: "aborted", error: null };

  /** Runs until `commit` is written; the run is `aborting` right after it. */
  const stopBehind = async (commit: string) => {
    const turn = await start([calls, say("Done.")]);
    const abort = new AbortController();
    turn.deps.journal.afterCommit = (line) => {
      if (line !== commit) return;
      turn.deps.journal.isAborting = true;
      abort.abort();
    };
    return { outcome: await turn.run(abort.signal), commits: turn.deps.journal.commits, effects: turn.effects };
  };

  it.each([
    ["open m1", ["close 1 aborted"]],
    ["close 1 tool_use", ["end 1-0 aborted", "end 1-1 aborted"]],
    ["end 1-0 completed", ["end 1-1 aborted"]],
    ["allow_by_rule 1-1", ["end 1-1 aborted"]],
    ["end 1-1 completed", []],
    ["open m2", ["close 2 aborted"]],
    ["close 2 end_turn", []],
  ])("behind `%s` starts nothing more, closes what is open, and is aborted", async (commit, closing) => {
    const { outcome, commits } = await stopBehind(commit);
    expect(outcome).toEqual(aborted);
    expect(commits.slice(commits.indexOf(commit) + 1)).toEqual(closing);
  });

  it("after the mark of a call that has started ends that call once, and is aborted", async () => {
    const { outcome, commits } = await stopBehind("started 1-1");
    expect(outcome).toEqual(aborted);
    expect(commits.filter((line) => line.startsWith("end 1-1"))).toHaveLength(1);
  });

  it("before it began asks no model", async () => {
    const turn = await start([say("never sent")]);
    expect([await turn.run(AbortSignal.abort()), turn.deps.journal.commits]).toEqual([aborted, []]);
  });

  it("and restarted by a crash is aborted, even after a message that was cut by the abort", async () => {
    const turn = await start([say("So far")]);
    const progress = { messages: [], steps: 1, answer: { stopReason: "aborted", calls: [] }, lastUsage: undefined };
    expect(await runTurn(progress, turn.deps, AbortSignal.abort())).toEqual(aborted);
  });
});
