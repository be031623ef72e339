/** The loop: model and tools alternate until the model stops. Real client, scripted server, commits in their order. */
import { describe, expect, inject, it } from "vitest";
import { runTurn } from "../../../src/harness/anthropic/loop.ts";
import type { Tool } from "../../../src/harness/tools/tool.ts";
import { modelAt } from "../../support/ask-model.ts";
import { editTool, type LoopWorld, loopWorld, newTurn, readTool } from "../../support/loop-world.ts";
import { callTool, callTools, message, pauseTurn, refuse, say, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { maxTokensInToolUse, overloaded, unauthorized } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

const running = new AbortController().signal;

const allowAll = {
  gate: {
    refusal: () => undefined,
    runsUnasked: (kind: string) => kind === "read",
    elsewhere: () => undefined,
    mayBecomeRule: () => true,
    isCovered: async () => true,
  },
};

/** A new turn over these replies, and its world. */
const start = async (replies: readonly Reply[], tools: readonly Tool[] = [], overrides: Partial<LoopWorld> = {}) => {
  const script = await scriptModel(modelUrl, replies);
  const deps = loopWorld(modelAt(modelUrl), tools, overrides);
  return { script, deps, run: (signal = running) => runTurn(newTurn(script.prompt("Hi")), deps, signal) };
};

const completed = { type: "ended", status: "completed", stopReason: "end_turn", error: null };

/** What the model was sent as results of its calls, request by request. */
const resultsSent = async ({ requests }: { requests: () => Promise<{ body: Record<string, unknown> }[]> }) =>
  (await requests()).map(({ body }) => JSON.stringify(body).match(/"type":"tool_result"/g)?.length ?? 0);

describe("a turn", () => {
  it("of one answer is one message", async () => {
    const { run, deps, script } = await start([say("Hello")]);
    expect(await run()).toEqual(completed);
    expect(deps.journal.commits).toEqual(["open m1", "close 1 end_turn"]);
    expect(await script.violations()).toEqual([]);
  });

  it("alternates model and tools until the model stops", async () => {
    const replies = [callTool("read_file", { path: "a.md" }), callTool("list_files", {}), say("Done.")];
    const { run, deps, script } = await start(replies, [readTool("read_file"), readTool("list_files")]);
    expect(await run()).toEqual(completed);
    expect(deps.journal.commits).toEqual([
      ...["open m1", "close 1 tool_use", "end 1-0 completed"],
      ...["open m2", "close 2 tool_use", "end 2-0 completed"],
      ...["open m3", "close 3 end_turn"],
    ]);
    expect([await resultsSent(script), await script.violations()]).toEqual([[0, 1, 2], []]);
  });

  it("answers all calls of a message in one user message, in the model's order", async () => {
    const slow = Promise.withResolvers<void>();
    const tools = [
      readTool("slow", { run: () => slow.promise.then(() => ({ output: "slow", isError: false })) }),
      readTool("fast", {
        run: async () => {
          slow.resolve();
          return { output: "fast", isError: false };
        },
      }),
    ];
    const calls = [
      { name: "slow", input: {}, id: "toolu_1" },
      { name: "fast", input: {}, id: "toolu_2" },
    ];
    const { run, script } = await start([callTools(calls), say("Done.")], tools);
    await run();
    const [, second] = await script.requests();
    expect(second?.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ id: "toolu_1" }, { id: "toolu_2" }] },
      {
        role: "user",
        content: [
          { tool_use_id: "toolu_1", content: "slow" },
          { tool_use_id: "toolu_2", content: "fast" },
        ],
      },
    ]);
  });

  it("shows each call with our id, its kind and its title before it runs", async () => {
    const replies = [callTools([{ name: "edit_file", input: { path: "b.ts" }, id: "toolu_1" }])];
    const { run, deps, script } = await start(replies, [editTool("edit_file")]);
    expect(await run()).toEqual({ type: "waiting" });
    expect(deps.journal.progress(script.prompt("Hi")).answer).toEqual({
      stopReason: "tool_use",
      calls: [
        {
          toolCallId: "1-0",
          toolUseId: "toolu_1",
          messageId: "m1",
          tool: "edit_file",
          kind: "edit",
          title: "Edit b.ts",
          input: { path: "b.ts" },
          state: { type: "asking" },
        },
      ],
    });
  });

  it("tells the model of a tool that does not exist, without asking a person", async () => {
    const { run, deps, script } = await start([callTool("teleport", {}), say("Sorry.")]);
    expect(await run()).toEqual(completed);
    expect(deps.journal.commits).toEqual([
      ...["open m1", "close 1 tool_use", "end 1-0 failed"],
      ...["open m2", "close 2 end_turn"],
    ]);
    expect(JSON.stringify((await script.requests()).at(-1)?.body)).toContain("There is no tool named teleport.");
  });

  it("returns while a person is asked, with everything before it committed and no model called", async () => {
    const replies = [
      callTools([
        { name: "read_file", input: {} },
        { name: "edit_file", input: {} },
      ]),
    ];
    const { run, deps, script } = await start(replies, [readTool("read_file"), editTool("edit_file")]);
    expect(await run()).toEqual({ type: "waiting" });
    expect(deps.journal.commits).toEqual(["open m1", "close 1 tool_use", "end 1-0 completed", "ask 1-1"]);
    expect(await script.requests()).toHaveLength(1);
  });

  it("runs reads first, then edits one after the other", async () => {
    const calls = ["edit_file", "read_file", "write_file"].map((name) => ({ name, input: {} }));
    const tools = [editTool("edit_file"), readTool("read_file"), editTool("write_file")];
    const { run, deps } = await start([callTools(calls), say("Done.")], tools, allowAll);
    expect(await run()).toEqual(completed);
    expect(deps.journal.commits.slice(2, -2)).toEqual([
      "end 1-1 completed",
      ...["allow_by_rule 1-0", "started 1-0", "end 1-0 completed"],
      ...["allow_by_rule 1-2", "started 1-2", "end 1-2 completed"],
    ]);
  });
});

describe("a turn ends", () => {
  it.each<[string, Reply, object]>([
    [
      "incomplete, out of tokens",
      say("So far", { stopReason: "max_tokens" }),
      { status: "incomplete", stopReason: "max_tokens" },
    ],
    [
      "incomplete, out of tokens in a call",
      maxTokensInToolUse("write_file", '{"path":"a.md"'),
      { status: "incomplete", stopReason: "max_tokens" },
    ],
    [
      "incomplete, out of context",
      say("So far", { stopReason: "model_context_window_exceeded" }),
      { status: "incomplete", stopReason: "model_context_window_exceeded" },
    ],
    ["completed, refused by the model", refuse("No."), { status: "completed", stopReason: "refusal" }],
    [
      "completed, for a reason that nobody knows yet",
      say("Bye", { stopReason: "a_new_one" }),
      { status: "completed", stopReason: "a_new_one" },
    ],
    [
      "failed, by what no waiting mends",
      unauthorized(),
      { status: "failed", stopReason: "error", error: { code: "model_auth", message: expect.any(String) } },
    ],
  ])("%s", async (_, reply, outcome) => {
    const { run } = await start([reply]);
    expect(await run()).toEqual({ type: "ended", error: null, ...outcome });
  });

  it.each([
    ["max_tokens", "incomplete"],
    ["model_context_window_exceeded", "incomplete"],
    ["refusal", "completed"],
  ])("on %s without acting on the calls of that message", async (stopReason, status) => {
    const reply = message([toolUse({ name: "read_file", input: {} })], { stopReason });
    const { run, deps } = await start([reply, say("Never asked for.")], [readTool("read_file")]);
    expect(await run()).toEqual({ type: "ended", status, stopReason, error: null });
    expect(deps.journal.commits).toEqual(["open m1", `close 1 ${stopReason}`]);
  });

  it("failed after its fourth try, with what was said before", async () => {
    const replies = [callTool("read_file", {}), ...Array.from({ length: 4 }, overloaded)];
    const { run, deps } = await start(replies, [readTool("read_file")]);
    expect(await run()).toMatchObject({ status: "failed", error: { code: "model_overloaded" } });
    expect(deps.journal.closed).toHaveLength(1);
  });

  it("incomplete after 100 model calls", async () => {
    const replies = Array.from({ length: 100 }, () => callTool("read_file", {}));
    const { run, deps, script } = await start(replies, [readTool("read_file")]);
    expect(await run()).toEqual({ type: "ended", status: "incomplete", stopReason: "max_steps", error: null });
    expect([deps.journal.closed.length, (await script.requests()).length]).toEqual([100, 100]);
  });
});

describe("a turn that the provider paused", () => {
  it("continues with its message unchanged", async () => {
    const { run, script } = await start([pauseTurn("So far"), say("and on.")]);
    expect(await run()).toEqual(completed);
    const [, second] = await script.requests();
    expect(second?.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text", text: "So far" }] },
    ]);
  });

  it("continues without the blanks at the end of its message, which the provider refuses there", async () => {
    const { run, script } = await start(
      [pauseTurn("So far. \n"), callTool("read_file", {}), say("Done.")],
      [readTool("read_file")],
    );
    expect([await run(), await script.violations()]).toEqual([completed, []]);
    const sent = (await script.requests()).slice(1).map(({ body }) => JSON.stringify(body.messages));
    expect(sent.map((messages) => [messages.includes('"So far."'), messages.includes("So far. ")])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it("ends incomplete at the sixth pause in a row", async () => {
    const { run } = await start(Array.from({ length: 6 }, () => pauseTurn("Hm.")));
    expect(await run()).toMatchObject({ status: "incomplete", stopReason: "pause_turn" });
  });

  it("may pause again once it got anywhere in between", async () => {
    const pauses = (count: number) => Array.from({ length: count }, () => pauseTurn("Hm."));
    const { run } = await start(
      [...pauses(4), callTool("read_file", {}), ...pauses(4), say("Done.")],
      [readTool("read_file")],
    );
    expect(await run()).toEqual(completed);
  });
});
