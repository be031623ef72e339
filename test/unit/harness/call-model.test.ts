/** One model call with its retries, the real client against the scripted server (api.md §3, failure codes). */
import { describe, expect, inject, it } from "vitest";
import { callModel } from "../../../src/harness/anthropic/call-model.ts";
import { ask, modelAt } from "../../support/ask-model.ts";
import { type LoopWorld, loopWorld, plainRequests } from "../../support/loop-world.ts";
import { message, say, think, toolUse } from "../../support/model-script.ts";
import {
  closeBlock,
  closeMessage,
  inputDelta,
  openMessage,
  openToolUse,
} from "../../support/model-server/message-frames.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import * as trouble from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

const start = async (replies: readonly Reply[], overrides: Partial<LoopWorld> = {}) => {
  const script = await scriptModel(modelUrl, replies);
  const deps = loopWorld(modelAt(modelUrl), [], overrides);
  const abort = new AbortController();
  const requests = { ...plainRequests, next: () => ask(script.prompt("Hi"), { hasThinking: true }) };
  return { script, deps, abort, call: () => callModel(1, [], { ...deps, requests }, abort.signal) };
};

/** A call whose input is not JSON although the model says that it is done. */
const brokenInput: Reply = {
  type: "stream",
  frames: [
    ...openMessage(),
    openToolUse(0, "toolu_1", "read_file"),
    inputDelta(0, '{"path":'),
    closeBlock(0),
    ...closeMessage("tool_use"),
  ],
};

/** The API takes this in no later request, so that a thread which kept it would be lost. */
const twoCallsOfOneId: Reply = message([
  toolUse({ name: "read_file", input: { path: "a" }, id: "toolu_1" }),
  toolUse({ name: "read_file", input: { path: "b" }, id: "toolu_1" }),
]);

describe("a message that comes whole", () => {
  it("is the answer, with its thinking, its text and its usage", async () => {
    const { call, deps, script } = await start([think("Let me see.", "Yes.", "c2ln")]);
    expect(await call()).toEqual({
      type: "answered",
      message: {
        messageId: "m1",
        step: 1,
        content: [
          { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
          { type: "text", text: "Yes." },
        ],
        text: "Yes.",
        stopReason: "end_turn",
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
    });
    expect(deps.journal.commits).toEqual(["open m1"]);
    expect(deps.journal.deltas.filter((delta) => !delta.endsWith(" "))).toEqual([
      "thinking m1 Let me see.",
      "text m1 Yes.",
    ]);
    expect(await script.violations()).toEqual([]);
  });

  it("has the calls it asks for in its content", async () => {
    const { call } = await start([message([toolUse({ name: "read_file", input: { path: "a.md" }, id: "toolu_1" })])]);
    expect(await call()).toMatchObject({
      message: {
        stopReason: "tool_use",
        content: [{ type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a.md" } }],
      },
    });
  });

  it("leaves out a call that ran out of tokens", async () => {
    const { call } = await start([trouble.maxTokensInToolUse("write_file", '{"path":"a.md","con')]);
    expect(await call()).toMatchObject({ type: "answered", message: { stopReason: "max_tokens", content: [] } });
  });
});

describe("a failure before the message", () => {
  it.each<[string, Reply, string]>([
    ["429", trouble.rateLimited(), "model_rate_limited"],
    ["529", trouble.overloaded(), "model_overloaded"],
    ["500", trouble.serverError(), "model_unavailable"],
  ])("of status %s is announced, waited out and tried again", async (_, reply, code) => {
    const { call, deps } = await start([reply, say("Hello")]);
    expect(await call()).toMatchObject({ type: "answered", message: { messageId: "m2", text: "Hello" } });
    expect(deps.journal.commits).toEqual([`retry 1 ${code}`, "open m2"]);
    expect(deps.journal.retries).toEqual([{ attempt: 1, delayMs: 1_000, reason: code }]);
    expect(deps.waits).toEqual([1_000]);
  });

  it("is waited for as long as the provider asks", async () => {
    const { call, deps } = await start([trouble.rateLimited({ "retry-after": "7" }), say("Hello")]);
    await call();
    expect([deps.journal.retries[0]?.delayMs, deps.waits]).toEqual([7_000, [7_000]]);
  });

  it("is final after four tries, three of them announced", async () => {
    const { call, deps, script } = await start(Array.from({ length: 4 }, trouble.overloaded));
    expect(await call()).toEqual({
      type: "failed",
      error: { code: "model_overloaded", message: "The model is busy." },
    });
    expect(deps.journal.retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(deps.waits).toEqual([1_000, 8_000, 30_000]);
    expect(await script.requests()).toHaveLength(4);
  });

  it.each<[number, string, string]>([
    [400, "invalid_request_error", "model_invalid_request"],
    [401, "authentication_error", "model_auth"],
    [403, "permission_error", "model_auth"],
    [404, "not_found_error", "model_invalid_request"],
    [422, "invalid_request_error", "model_invalid_request"],
  ])("of status %i is final at once", async (status, errorType, code) => {
    const { call, deps, script } = await start([trouble.fail(status, errorType, "No.")]);
    expect(await call()).toMatchObject({ type: "failed", error: { code } });
    expect([deps.journal.commits, (await script.requests()).length]).toEqual([[], 1]);
  });
});

describe("a message that breaks off", () => {
  it.each<[string, Reply]>([
    ["with its connection", trouble.cutMidEvent("Hel")],
    ["in good order", trouble.endEarly("Hel")],
    ["in data that is not JSON", trouble.malformed("Hel")],
    ["with an error inside the stream", trouble.errorMidStream("Hel")],
    ["in a call whose input is not JSON", brokenInput],
    ["in two calls with the same id", twoCallsOfOneId],
  ])("%s is discarded, and the next one has a new id", async (_, reply) => {
    const { call, deps } = await start([reply, say("Hello")]);
    expect(await call()).toMatchObject({ type: "answered", message: { messageId: "m2", text: "Hello" } });
    expect(deps.journal.commits).toEqual(["open m1", "discard m1", expect.stringMatching(/^retry 1 /), "open m2"]);
  });

  it("for the fourth time stays, closed as an error, with its text and without its calls", async () => {
    const { call, deps } = await start(Array.from({ length: 4 }, () => trouble.cutMidEvent("Hel")));
    expect(await call()).toMatchObject({ type: "failed", error: { code: "model_unavailable" } });
    expect(deps.journal.commits.slice(-2)).toEqual(["open m4", "close 1 error"]);
    expect(deps.journal.closed).toMatchObject([
      { messageId: "m4", text: "Hel", content: [{ type: "text", text: "Hel" }] },
    ]);
  });
});

describe("an abort", () => {
  it("in the middle of a message closes it with what there is of it", async () => {
    const { abort, call, deps } = await start([trouble.holdMidStream("Hel", "lo")]);
    deps.journal.afterDelta = (delta) => delta === "text m1 Hel" && abort.abort();
    expect(await call()).toEqual({ type: "aborted" });
    expect(deps.journal.commits).toEqual(["open m1", "close 1 aborted"]);
    expect(deps.journal.closed).toMatchObject([{ text: "Hel", content: [{ type: "text", text: "Hel" }] }]);
  });

  it("before the first event leaves nothing to close", async () => {
    const { abort, call, deps, script } = await start([trouble.holdBefore(say("never sent"))]);
    const called = call();
    await script.reaches(1, "held");
    abort.abort();
    expect([await called, deps.journal.commits]).toEqual([{ type: "aborted" }, []]);
  });

  it("during the wait ends the call without another try", async () => {
    const abort = new AbortController();
    const { deps, script } = await start([trouble.overloaded(), say("never sent")]);
    const stopping = { ...deps, wait: async () => abort.abort() };
    const result = await callModel(1, ask(script.prompt("Hi")).messages, stopping, abort.signal);
    expect([result, deps.journal.commits]).toEqual([{ type: "aborted" }, ["retry 1 model_overloaded"]]);
    expect(await script.requests()).toHaveLength(1);
  });

  it("keeps no call of the message it cut", async () => {
    const { frames } = message([toolUse({ name: "read_file", input: {} }), { type: "text", text: "And" }]);
    const { abort, call, deps } = await start([{ type: "stream", frames: [...frames.slice(0, -2), { type: "hold" }] }]);
    deps.journal.afterDelta = (delta) => delta === "text m1 And" && abort.abort();
    await call();
    expect(deps.journal.closed.map(({ content }) => content)).toEqual([[{ type: "text", text: "And" }]]);
  });
});
