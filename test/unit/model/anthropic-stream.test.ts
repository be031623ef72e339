/** The Anthropic client over real HTTP: what it yields, what it sends, and when it stops. */
import { describe, expect, inject, it } from "vitest";
import { ask, collect, modelAt } from "../../support/ask-model.ts";
import {
  burst,
  callTool,
  callTools,
  message,
  pauseTurn,
  refuse,
  say,
  think,
  thinkRedacted,
  toolUse,
} from "../../support/model-script.ts";
import { event } from "../../support/model-server/message-frames.ts";
import type { Frame, StreamReply } from "../../support/model-server/reply.ts";
import { cutMidEvent, holdBefore, holdMidStream, maxTokensInToolUse } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

/** The frames of a reply with these behind the first text's start. */
const withFrames = ({ frames }: StreamReply, more: readonly Frame[]): Frame[] => [
  ...frames.slice(0, 3),
  ...more,
  ...frames.slice(3),
];

describe("the stream of a message", () => {
  it("yields the API's events in order, without pings", async () => {
    const script = await scriptModel(modelUrl, [say("Hello there", { deltas: 2, usage: { input: 7, output: 3 } })]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi")));
    expect(events).toEqual([
      {
        type: "message_start",
        message: {
          model: "claude-sonnet-5-5",
          usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello " } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "there" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } },
      { type: "message_stop" },
    ]);
  });

  it("yields thinking with its signature as the last delta of its block", async () => {
    const script = await scriptModel(modelUrl, [think("Let me see.", "Yes.", "c2ln")]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi"), { hasThinking: true }));
    expect(events.slice(1, 5)).toEqual([
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me see." } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
      { type: "content_block_stop", index: 0 },
    ]);
  });

  it("yields several calls whose inputs come in pieces", async () => {
    const calls = [
      { id: "toolu_1", name: "read_file", input: { path: "a.md" } },
      { id: "toolu_2", name: "list_files", input: {} },
    ];
    const script = await scriptModel(modelUrl, [callTools(calls)]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi"), { hasThinking: true }));
    const json = events.map((event) =>
      event.type === "content_block_delta" && event.delta.type === "input_json_delta"
        ? `${event.index}:${event.delta.partial_json}`
        : "",
    );
    expect(json.join("")).toBe('0:0:{"path":0:"a.md"}1:1:{1:}');
  });

  it("yields redacted thinking as it is", async () => {
    const script = await scriptModel(modelUrl, [thinkRedacted("b3BhcXVl", "Yes.")]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi")));
    expect(events[1]).toEqual({
      type: "content_block_start",
      index: 0,
      content_block: { type: "redacted_thinking", data: "b3BhcXVl" },
    });
  });

  it.each<[string, StreamReply]>([
    ["end_turn", say("Done.")],
    ["tool_use", callTool("read_file", { path: "a.md" })],
    ["tool_use", message([{ type: "text", text: "I look." }, toolUse({ name: "list_files", input: {} })])],
    ["max_tokens", maxTokensInToolUse("write_file", '{"path":"a.md","con')],
    ["pause_turn", pauseTurn("So far")],
    ["refusal", refuse("No.")],
  ])("ends with the stop reason %s as it came", async (stopReason, reply) => {
    const script = await scriptModel(modelUrl, [reply]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi")));
    expect(events.at(-2)).toMatchObject({ type: "message_delta", delta: { stop_reason: stopReason } });
  });

  it("leaves out events and deltas of kinds it does not know", async () => {
    const reply = message([{ type: "text", text: "Hi" }]);
    const unknown = [
      event("weather_report", { sunny: true }),
      event("content_block_delta", { index: 0, delta: { type: "citations_delta", citation: {} } }),
    ];
    const script = await scriptModel(modelUrl, [{ type: "stream", frames: withFrames(reply, unknown) }, reply]);
    const model = modelAt(modelUrl);
    const withUnknown = await collect(model, ask(script.prompt("Hi")));
    expect(withUnknown).toEqual(await collect(model, ask(script.prompt("Hi"))));
  });

  it("yields a block of a kind it does not know as it came, with all its deltas, whatever their kind", async () => {
    const block = { type: "hologram", depth: 3, faces: ["a"] };
    const frames = [
      event("content_block_start", { index: 9, content_block: block }),
      event("content_block_delta", { index: 9, delta: { type: "text_delta", text: "?" } }),
      event("content_block_delta", { index: 9, delta: { type: "depth_delta", depth: 4 } }),
      event("content_block_stop", { index: 9 }),
    ];
    const reply = message([{ type: "text", text: "Hi" }]);
    const script = await scriptModel(modelUrl, [{ type: "stream", frames: withFrames(reply, frames) }]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi")));
    expect(events.filter((one) => "index" in one && one.index === 9)).toEqual([
      { type: "content_block_start", index: 9, content_block: { type: "opaque", block } },
      {
        type: "content_block_delta",
        index: 9,
        delta: { type: "opaque_delta", delta: { type: "text_delta", text: "?" } },
      },
      {
        type: "content_block_delta",
        index: 9,
        delta: { type: "opaque_delta", delta: { type: "depth_delta", depth: 4 } },
      },
      { type: "content_block_stop", index: 9 },
    ]);
  });

  it("yields fields of a call that it does not know", async () => {
    const block = { type: "tool_use", id: "toolu_1", name: "read_file", input: {}, caller: { type: "direct" } };
    const reply = message([{ type: "text", text: "Hi" }]);
    const frames = withFrames(reply, [event("content_block_start", { index: 9, content_block: block })]);
    const script = await scriptModel(modelUrl, [{ type: "stream", frames }]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi")));
    expect(events).toContainEqual({ type: "content_block_start", index: 9, content_block: block });
  });

  it("is broken where a kind that it knows has another shape", async () => {
    const frames = withFrames(say("Hi"), [
      event("content_block_start", { index: 9, content_block: { type: "tool_use" } }),
    ]);
    const script = await scriptModel(modelUrl, [{ type: "stream", frames }]);
    await expect(collect(modelAt(modelUrl), ask(script.prompt("Hi")))).rejects.toMatchObject({
      ...{ code: "model_unavailable", isRetryable: true },
    });
  });

  it.each([-1, 0.5, 2 ** 53 - 1])(
    "is broken where it counts %d tokens: a run must be able to add them up",
    async (input) => {
      const script = await scriptModel(modelUrl, [say("Hi", { usage: { input } })]);
      await expect(collect(modelAt(modelUrl), ask(script.prompt("Hi")))).rejects.toMatchObject({
        ...{ code: "model_unavailable", isRetryable: true },
      });
    },
  );

  it("passes 2,000 deltas on whole", async () => {
    const script = await scriptModel(modelUrl, [burst(2_000)]);
    const events = await collect(modelAt(modelUrl), ask(script.prompt("Hi")));
    expect(events.filter((event) => event.type === "content_block_delta")).toHaveLength(2_000);
  });
});

describe("an abort", () => {
  it("ends the stream without an error, and the server sees the client leave", async () => {
    const script = await scriptModel(modelUrl, [holdMidStream("Wait", "never sent")]);
    const abort = new AbortController();
    const collected = collect(modelAt(modelUrl), ask(script.prompt("Hi")), abort.signal);
    await script.reaches(1, "held");
    abort.abort();
    await script.reaches(1, "client_left");
    expect((await collected).at(-1)?.type).not.toBe("message_stop");
  });

  it("ends the stream before the headers have come", async () => {
    const script = await scriptModel(modelUrl, [holdBefore(say("never sent"))]);
    const abort = new AbortController();
    const collected = collect(modelAt(modelUrl), ask(script.prompt("Hi")), abort.signal);
    await script.reaches(1, "held");
    abort.abort();
    expect(await collected).toEqual([]);
    await script.reaches(1, "client_left");
  });

  it("sends nothing when it came first", async () => {
    const script = await scriptModel(modelUrl, [say("never sent")]);
    expect(await collect(modelAt(modelUrl), ask(script.prompt("Hi")), AbortSignal.abort())).toEqual([]);
    expect(await script.requests()).toEqual([]);
  });

  it("hides a connection that breaks after it", async () => {
    const script = await scriptModel(modelUrl, [holdBefore(cutMidEvent("Wait"))]);
    const abort = new AbortController();
    const collected = collect(modelAt(modelUrl), ask(script.prompt("Hi")), abort.signal);
    await script.reaches(1, "held");
    abort.abort();
    await script.release();
    expect(await collected).toEqual([]);
  });

  it("is not needed to close the connection of a stream that is left early", async () => {
    const script = await scriptModel(modelUrl, [holdMidStream("Wait", "never sent")]);
    const stream = modelAt(modelUrl).stream(ask(script.prompt("Hi")), new AbortController().signal);
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
    await script.reaches(1, "client_left");
  });
});
