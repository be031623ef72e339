/** What a turn puts into its transcript, in which order, when the model works (api.md §3 and §6). */
import { describe, inject, it } from "vitest";
import {
  callTool,
  callTools,
  message,
  pauseTurn,
  refuse,
  say,
  think,
  thought,
  toolUse,
} from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { maxTokensInToolUse } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const OPENING = ["run_start", "user_message"];
const SAID = ["message_start", "text_delta", "message_end"];
const CALLED = ["message_start", "message_end"];

/** A new person's turn, read to its end. */
const endedTurn = async (replies: readonly Reply[]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  const stream = await (await client.request(turn.events)).text();
  return { model, client, turn, stream, events: await client.events(turn.events) };
};

/** What the model was sent in its nth request, from 1. */
const sentMessages = async ({ model }: Awaited<ReturnType<typeof endedTurn>>, nth: number): Promise<unknown[]> =>
  Object((await model.requests())[nth - 1]?.body).messages;

describe("a turn", () => {
  it("of one text is a message between run_start and run_end", async ({ expect }) => {
    const { model, client, turn, events } = await endedTurn([say("Hi there.", { deltas: 3 })]);
    expect(kinds(events)).toEqual([...OPENING, ...SAID, "run_end"]);
    const { sessionId, lastSeq } = await client.view(turn.runId);
    expect(theOnly(events, "run_start")).toMatchObject({
      ...{ runId: turn.runId, threadId: "t", sessionId, resumed: false, harness: "anthropic" },
      ...{ model: "claude-sonnet-5-5", permissionMode: "allow-reads", workspaceDir: expect.any(String), attempt: 1 },
    });
    expect(theOnly(events, "message_end")).toMatchObject({ text: "Hi there.", stopReason: "end_turn" });
    expect(events.at(-1)).toMatchObject({ status: "completed", stopReason: "end_turn", steps: 1, error: null });
    expect(lastSeq).toBe(events.length);
    expectWhole(events, "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("sums the usage of its messages", async ({ expect }) => {
    const usages = [
      { input: 100, output: 20, cacheRead: 7, cacheWrite: 3 },
      { input: 150, output: 30, cacheRead: 90, cacheWrite: 0 },
    ];
    const call = callTools([{ name: "list-stocks", input: {} }], { usage: usages[0] ?? {} });
    const { client, turn, events } = await endedTurn([call, say("Done.", { usage: usages[1] ?? {} })]);
    expect(ofType(events, "message_end").map(({ usage }) => usage)).toEqual([
      { inputTokens: 100, outputTokens: 20, cacheReadTokens: 7, cacheWriteTokens: 3 },
      { inputTokens: 150, outputTokens: 30, cacheReadTokens: 90, cacheWriteTokens: 0 },
    ]);
    const usage = { inputTokens: 250, outputTokens: 50, cacheReadTokens: 97, cacheWriteTokens: 3 };
    expect(theOnly(events, "run_end")).toMatchObject({ usage, steps: 2 });
    expect(await client.view(turn.runId)).toMatchObject({ usage, status: "completed", error: null });
  });

  it("offers the model actions, screen, navigation and workspace as tools (api.md §6)", async ({ expect }) => {
    const { model } = await endedTurn([say("Hi.")]);
    const [request] = await model.requests();
    const names = Object(request?.body).tools.map((tool: { name: string }) => tool.name);
    expect(names.toSorted()).toEqual([
      ...["add-stock", "ask_user", "create-schedule", "delete-schedule", "delete-stock", "delete_file", "edit_file"],
      ...["find-symbol", "get-stock", "list-schedules", "list-stocks", "list_files", "navigate", "propose_plan"],
      ...["read_file", "refresh-quotes", "run_shell", "search_files", "set_todos", "update-stock", "view-screen"],
      "write_file",
    ]);
  });
});

describe("a message", () => {
  it("of thinking and text streams both; its end has the text alone", async ({ expect }) => {
    const { events, stream } = await endedTurn([think("Let me see.", "Here it is.", "c2VjcmV0c2lnbmF0dXJl")]);
    expect(kinds(events)).toEqual([
      ...OPENING,
      "message_start",
      "thinking_delta",
      "text_delta",
      "message_end",
      "run_end",
    ]);
    expect(theOnly(events, "thinking_delta").text).toBe("Let me see.");
    expect(theOnly(events, "message_end").text).toBe("Here it is.");
    expect(stream).not.toContain("c2VjcmV0c2lnbmF0dXJl");
  });

  it("of thinking goes back to the model with its signature, and never to the client", async ({ expect }) => {
    const redacted = { type: "redacted_thinking", data: "b3BhcXVl" } as const;
    const call = toolUse({ name: "list-stocks", input: {} });
    const turn = await endedTurn([message([thought("Hm."), redacted, call]), say("Done.")]);
    const [sent = []] = await turn.model.answers();
    expect(sent.map(({ type }) => type)).toEqual(["thinking", "redacted_thinking", "tool_use"]);
    expect(await sentMessages(turn, 2)).toMatchObject([{}, { role: "assistant", content: sent }, {}]);
    expect(turn.stream).not.toContain(redacted.data);
    expect(turn.stream).not.toContain(sent[0]?.signature);
    expect(await turn.model.violations()).toEqual([]);
  });

  it("of several texts ends with all of them", async ({ expect }) => {
    const { events } = await endedTurn([
      message([
        { type: "text", text: "One. " },
        { type: "text", text: "Two." },
      ]),
    ]);
    expect(theOnly(events, "message_end").text).toBe("One. Two.");
    expect(
      ofType(events, "text_delta")
        .map(({ text }) => text)
        .join(""),
    ).toBe("One. Two.");
  });

  it("without any content ends the turn, and the next one is sound", async ({ expect }) => {
    const { model, client, events } = await endedTurn([message([]), say("Hi.")]);
    expect(kinds(events)).toEqual([...OPENING, ...CALLED, "run_end"]);
    expectWhole(await client.runToEnd("t", "Again"), "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("that is paused is sent back unchanged, and the turn continues", async ({ expect }) => {
    const turn = await endedTurn([pauseTurn("Wait."), say("Done.")]);
    expect(kinds(turn.events)).toEqual([...OPENING, ...SAID, ...SAID, "run_end"]);
    expect(ofType(turn.events, "message_end").map(({ stopReason }) => stopReason)).toEqual(["pause_turn", "end_turn"]);
    expect(await sentMessages(turn, 2)).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text", text: "Wait." }] },
    ]);
    expect(turn.events.at(-1)).toMatchObject({ status: "completed", stopReason: "end_turn" });
    expect(await turn.model.violations()).toEqual([]);
  });

  it("that runs out of tokens inside a call drops the call: the turn is incomplete", async ({ expect }) => {
    const { model, client, events } = await endedTurn([maxTokensInToolUse("add-stock", '{"symbol":"AA'), say("Hi.")]);
    expect(kinds(events)).toEqual([...OPENING, ...CALLED, "run_end"]);
    expect(theOnly(events, "message_end").stopReason).toBe("max_tokens");
    expect(events.at(-1)).toMatchObject({ status: "incomplete", stopReason: "max_tokens", error: null });
    expectWhole(await client.runToEnd("t", "Go on"), "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("that refuses completes the turn", async ({ expect }) => {
    const { events } = await endedTurn([refuse("I will not.")]);
    expect(kinds(events)).toEqual([...OPENING, ...SAID, "run_end"]);
    expect(theOnly(events, "message_end")).toMatchObject({ text: "I will not.", stopReason: "refusal" });
    expect(events.at(-1)).toMatchObject({ status: "completed", stopReason: "refusal" });
  });
});

describe("tool calls", () => {
  it("that read run without asking (api.md §4)", async ({ expect }) => {
    const turn = await endedTurn([callTools([{ name: "list-stocks", input: {} }], { text: "I look." }), say("None.")]);
    const { events, model } = turn;
    expect(kinds(events)).toEqual([...OPENING, ...SAID, "tool_start", "tool_end", ...SAID, "run_end"]);
    const [first] = ofType(events, "message_end");
    const { toolCallId, ...start } = theOnly(events, "tool_start");
    expect(start).toMatchObject({ messageId: first?.messageId, tool: "list-stocks", kind: "read", input: {} });
    expect(start.title).toMatch(/\S/);
    const end = theOnly(events, "tool_end");
    expect(end).toMatchObject({ toolCallId, status: "completed", truncated: false, durationMs: expect.any(Number) });
    expect(await sentMessages(turn, 2)).toMatchObject([{}, {}, { role: "user", content: [{ content: end.output }] }]);
    expect(await model.violations()).toEqual([]);
  });

  it("that read run together; their results go back in the model's order", async ({ expect }) => {
    const ids = ["toolu_1", "toolu_2", "toolu_3"] as const;
    const turn = await endedTurn([
      callTools([
        { id: ids[0], name: "view-screen", input: {} },
        { id: ids[1], name: "get-stock", input: { symbol: "NONE" } },
        { id: ids[2], name: "list-stocks", input: {} },
      ]),
      say("Done."),
    ]);
    expect(kinds(turn.events)).toEqual([
      ...[...OPENING, ...CALLED, "tool_start", "tool_start", "tool_start", "tool_end", "tool_end", "tool_end"],
      ...[...SAID, "run_end"],
    ]);
    expect(ofType(turn.events, "tool_start").map(({ tool }) => tool)).toEqual([
      "view-screen",
      "get-stock",
      "list-stocks",
    ]);
    expect(
      ofType(turn.events, "tool_end")
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(["completed", "completed", "failed"]);
    expect(await sentMessages(turn, 2)).toMatchObject([
      ...[{}, {}],
      { content: [{ tool_use_id: ids[0] }, { tool_use_id: ids[1], is_error: true }, { tool_use_id: ids[2] }] },
    ]);
    expect(await turn.model.violations()).toEqual([]);
  });

  it("of several steps have ids that are unique in the run", async ({ expect }) => {
    const list = { name: "list-stocks", input: {} };
    const { events } = await endedTurn([callTools([list, list]), callTools([list, list]), say("Done.")]);
    expect(new Set(ofType(events, "tool_start").map(({ toolCallId }) => toolCallId)).size).toBe(4);
    expect(new Set(ofType(events, "message_start").map(({ messageId }) => messageId)).size).toBe(3);
    expect(ofType(events, "message_start").map(({ step }) => step)).toEqual([1, 2, 3]);
    expectWhole(events, "completed");
  });

  it("of a tool that does not exist fail without asking; the model is told (api.md §3, Order)", async ({ expect }) => {
    const turn = await endedTurn([callTool("drop-table", { table: "stocks" }), say("Sorry.")]);
    expect(kinds(turn.events)).toEqual([...OPENING, ...CALLED, "tool_start", "tool_end", ...SAID, "run_end"]);
    expect(theOnly(turn.events, "tool_start")).toMatchObject({ tool: "drop-table", input: { table: "stocks" } });
    expect(theOnly(turn.events, "tool_end")).toMatchObject({
      status: "failed",
      output: expect.stringContaining("drop-table"),
    });
    expect(await sentMessages(turn, 2)).toMatchObject([{}, {}, { content: [{ is_error: true }] }]);
    expect(await turn.model.violations()).toEqual([]);
  });

  it.for([
    ["a field of a wrong type", { symbol: 5 }, "symbol"],
    ["a missing field", {}, "symbol"],
    ["a field that breaks its rule", { symbol: "AAPL", quantity: "1e3" }, "quantity"],
    ["a field that does not exist", { symbol: "AAPL", owner: "eve@example.com" }, "owner"],
  ] as const)("with %s fail without asking, naming it (api.md §4)", async ([, input, field], { expect }) => {
    const { client, events } = await endedTurn([callTool("add-stock", input), say("Sorry.")]);
    expect(kinds(events)).toEqual([...OPENING, ...CALLED, "tool_start", "tool_end", ...SAID, "run_end"]);
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "failed", output: expect.stringContaining(field) });
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
  });
});
