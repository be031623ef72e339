/** The built-in adapter through its seam: what a turn's requests hold, and that a stop does not wait for a retry. */
import { describe, expect, inject, it } from "vitest";
import type { TurnWorld } from "../../../src/harness/adapter.ts";
import { anthropicHarness } from "../../../src/harness/anthropic/anthropic-harness.ts";
import { type ConversationTurn, NO_FACTS } from "../../../src/harness/anthropic/conversation.ts";
import { requestPrefix } from "../../../src/harness/anthropic/request-prefix.ts";
import { turnRows } from "../../../src/harness/anthropic/stored-turns.ts";
import { NOTHING_STORED, type StoredConversation } from "../../../src/harness/stored-conversation.ts";
import { whereItDiffers } from "../../support/append-only.ts";
import { modelAt } from "../../support/ask-model.ts";
import { loopWorld, readTool } from "../../support/loop-world.ts";
import { callTool, message, opaque, say, think, thought, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { fail, promptTooLong, rateLimited } from "../../support/model-troubles.ts";
import { RecordingKeeper } from "../../support/recording-keeper.ts";
import { readTurn, saidTurn } from "../../support/sample-turns.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");
const tools = [readTool("read_file")];
const completed = { type: "ended", status: "completed", stopReason: "end_turn", error: null };

/** A session that holds these turns. */
const stored = (...turns: readonly ConversationTurn[]): StoredConversation => ({
  ...NOTHING_STORED,
  rows: turns.map(turnRows).flatMap(({ rows, ...turn }) => rows.map((row) => ({ ...turn, ...row }))),
});

const start = async (
  replies: readonly Reply[],
  { session = NOTHING_STORED, ...overrides }: Partial<TurnWorld> & { readonly session?: StoredConversation } = {},
) => {
  const script = await scriptModel(modelUrl, replies);
  const keeper = new RecordingKeeper();
  const { hash: prefixHash } = await requestPrefix(tools);
  const { callKey, gate, isSubjectCut, journal, model, newId } = loopWorld(modelAt(modelUrl));
  const world: TurnWorld = {
    ...{ callKey, gate, isSubjectCut, journal, model, newId, keeper: keeper.ofRun },
    tools: { app: tools, workspace: [], person: [] },
    runId: "now",
    state: { context: "<context>", facts: { ...NO_FACTS, prefixHash }, notes: {} },
    readInstructions: async () => "none",
    // Of no use to a harness without files of its own.
    sessionCopy: { size: async () => 0, piece: async () => undefined, add: async () => false },
    permissionMode: "allow-reads",
    ...overrides,
  };
  const abort = new AbortController();
  const thread = anthropicHarness.resume(session);
  const run = () => thread.runTurn(world, { prompt: script.prompt("Hi"), steps: [] }, abort.signal);
  const bodies = async () => (await script.requests()).map(({ body }) => body);
  return { abort, bodies, journal, keeper, run, script };
};

describe("a turn's request", () => {
  it("names the model, the tools, the rules alone as its system prompt, and the context before the prompt", async () => {
    const { bodies, run, script } = await start([say("Hello")], { effort: "high" });
    await run();
    expect(await bodies()).toMatchObject([
      {
        model: "claude-sonnet-5-5",
        max_tokens: 32_768,
        thinking: { type: "adaptive", display: "summarized" },
        output_config: { effort: "high" },
        stream: true,
        tools: [{ name: "read_file", description: "read_file", input_schema: { type: "object" } }],
        system: [{ text: expect.stringContaining("You are the agent of Tally") }],
        messages: [{ role: "user", content: [{ text: "<context>" }, { text: script.prompt("Hi") }] }],
      },
    ]);
    expect(await script.violations()).toEqual([]);
  });

  it("resumes the thread: earlier turns come before the prompt", async () => {
    const { bodies, run, script } = await start([say("Hello")], { session: stored(saidTurn("a")) });
    await run();
    expect((await bodies())[0]?.messages).toMatchObject([
      { role: "user", content: [{ text: "Ask a" }] },
      { role: "assistant", content: [{ text: "Answer a" }] },
      { role: "user", content: [{ text: "<context>" }, { text: script.prompt("Hi") }] },
    ]);
  });

  it("begins with all that the one before it sent, and brings back thinking and unknown blocks as they came", async () => {
    const note = { type: "server_note", note: "kept", deep: { list: [1] } };
    const { bodies, run, script } = await start([
      message([thought("Hm."), opaque(note), toolUse({ name: "read_file", input: {} })]),
      message([thought(""), toolUse({ name: "read_file", input: {} })]),
      think("So.", "Done."),
    ]);
    expect(await run()).toEqual(completed);
    const [first = {}, second = {}, third = {}] = await bodies();
    expect([whereItDiffers(first, second), whereItDiffers(second, third)]).toEqual([undefined, undefined]);
    expect(third.messages).toMatchObject([
      {},
      { role: "assistant", content: [{ thinking: "Hm.", signature: expect.any(String) }, note, { type: "tool_use" }] },
      {},
      { role: "assistant", content: [{ thinking: "", signature: expect.any(String) }, { type: "tool_use" }] },
      {},
    ]);
    expect(await script.violations()).toEqual([]);
  });

  it("leaves results out after the provider found it too long, for the rest of the turn", async () => {
    const { bodies, keeper, run } = await start([promptTooLong(), callTool("read_file", {}), say("Hello")], {
      session: stored(readTurn("a", [150_000, 150_000])),
    });
    expect(await run()).toEqual(completed);
    const lengths = (await bodies()).map(({ messages }) => JSON.stringify(messages).length);
    expect(lengths.map((length) => length > 200_000)).toEqual([true, false, false]);
    expect(keeper.saved.at(-1)?.facts.maxBytes).toBeGreaterThan(200_000);
  });

  it("is tried as plain text when the provider permanently refuses it, and the session is told before anybody else", async () => {
    const refusal = fail(400, "invalid_request_error", "messages.1: something nobody thought of");
    const { journal, keeper, run } = await start([refusal, say("Hello")], { session: stored(saidTurn("a")) });
    const epochsAtOpening: number[] = [];
    journal.afterCommit = (commit) => commit.startsWith("open") && epochsAtOpening.push(keeper.epochs.length);
    expect(await run()).toEqual(completed);
    expect(epochsAtOpening).toEqual([1]);
    expect(journal.commits.filter((commit) => commit.startsWith("retry"))).toEqual([]);
  });
});

it("a stop ends the wait for a retry at once", async () => {
  const { abort, journal, run } = await start([rateLimited({ "retry-after": "60" }), say("never sent")]);
  const waiting = Promise.withResolvers<void>();
  journal.afterCommit = () => waiting.resolve();
  const running = run();
  await waiting.promise;
  abort.abort();
  expect(await running).toEqual({ type: "ended", status: "aborted", stopReason: "aborted", error: null });
});

describe("the adapter", () => {
  it("has the name that its sessions are filed under", () => {
    expect(anthropicHarness.name).toBe("anthropic");
  });

  it("opens a turn with its own context", async () => {
    const { state } = await anthropicHarness.resume(NOTHING_STORED).openTurn({
      model: "claude-sonnet-5-5",
      tools: { app: tools, workspace: [], person: [] },
      nowMs: Date.UTC(2026, 10, 20),
      screen: undefined,
      workspaceDir: ".",
      previousWorkspaceDir: undefined,
      instructions: "none",
      elsewhere: [],
      undone: [],
    });
    expect(state.context).toMatch(/^<context>\nToday is 2026-11-20 \(UTC\)\./);
  });
});

describe("what comes before all messages", () => {
  it("is the same for the same tools, and nothing in it changes from day to day", async () => {
    const prefix = await requestPrefix(tools);
    expect(await requestPrefix([readTool("read_file")])).toEqual(prefix);
    expect(JSON.stringify(prefix.system)).not.toMatch(/Today is|\d{4}-\d\d-\d\d/);
  });

  it("has another hash for other tools, another order and another description", async () => {
    const [read, list] = [readTool("read_file"), readTool("list_files")];
    const prefixes = [[read], [read, list], [list, read], [{ ...read, description: "Reads." }]];
    const hashes = await Promise.all(prefixes.map(async (offered) => (await requestPrefix(offered)).hash));
    expect(new Set(hashes).size).toBe(4);
  });

  it("knows its size as it goes over the wire", async () => {
    const { system, tools: offered, bytes } = await requestPrefix([{ ...readTool("a"), description: "漢" }]);
    expect(bytes).toBe(new TextEncoder().encode(JSON.stringify([system, offered])).byteLength);
  });
});
