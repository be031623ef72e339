/** What is kept of a model's stream, block by block, and what counts as broken. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageBuilder } from "../../../src/harness/anthropic/message-builder.ts";
import type { ModelEvent } from "../../../src/model/model-event.ts";

const start: ModelEvent = {
  type: "message_start",
  message: {
    model: "claude-sonnet-5-5",
    usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 },
  },
};
const stop: ModelEvent = { type: "message_stop" };
const ended = (reason: string, outputTokens = 5): ModelEvent => ({
  type: "message_delta",
  delta: { stop_reason: reason },
  usage: { output_tokens: outputTokens },
});
const open = (
  index: number,
  block: Extract<ModelEvent, { type: "content_block_start" }>["content_block"],
): ModelEvent => ({ type: "content_block_start", index, content_block: block });
const close = (index: number): ModelEvent => ({ type: "content_block_stop", index });
const grow = (index: number, delta: Extract<ModelEvent, { type: "content_block_delta" }>["delta"]): ModelEvent => ({
  type: "content_block_delta",
  index,
  delta,
});

const words = (index: number, ...pieces: string[]): ModelEvent[] => [
  open(index, { type: "text", text: "" }),
  ...pieces.map((text) => grow(index, { type: "text_delta", text })),
  close(index),
];
const thought = (index: number, thinking: string, signature: string): ModelEvent[] => [
  open(index, { type: "thinking", thinking: "", signature: "" }),
  grow(index, { type: "thinking_delta", thinking }),
  grow(index, { type: "signature_delta", signature }),
  close(index),
];
const call = (index: number, ...json: string[]): ModelEvent[] => [
  open(index, { type: "tool_use", id: `toolu_${index}`, name: "read_file" }),
  ...json.map((partial_json) => grow(index, { type: "input_json_delta", partial_json })),
  close(index),
];

const build = (...events: ModelEvent[]): MessageBuilder => {
  const builder = new MessageBuilder();
  for (const event of events) builder.add(event);
  return builder;
};

/** A stream that is over, as the model ended it. */
const message = (reason: string, ...events: ModelEvent[]): MessageBuilder =>
  build(start, ...events, ended(reason), stop);

const brokenOff = { code: "model_unavailable", isRetryable: true };

describe("the content of a message", () => {
  it("holds text, signed thinking, redacted thinking and calls in the order of their index", () => {
    const builder = message(
      "tool_use",
      ...thought(0, "Let me see.", "c2ln"),
      ...[open(1, { type: "redacted_thinking", data: "b3BhcXVl" }), close(1)],
      ...words(2, "I ", "look."),
      ...call(3, "", '{"path":', '"a.md"}'),
    );
    expect(builder.content()).toEqual([
      { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
      { type: "redacted_thinking", data: "b3BhcXVl" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "toolu_3", name: "read_file", input: { path: "a.md" } },
    ]);
  });

  it("leaves out blank text and thinking without a signature", () => {
    const builder = message("end_turn", ...words(0, " \n"), ...thought(1, "Hm.", ""), ...words(2, "Yes."));
    expect(builder.content()).toEqual([{ type: "text", text: "Yes." }]);
  });

  it("keeps thinking with an empty text: its signature is what counts", () => {
    expect(message("end_turn", ...thought(0, "", "c2ln"), ...words(1, "Yes.")).content()).toEqual([
      { type: "thinking", thinking: "", signature: "c2ln" },
      { type: "text", text: "Yes." },
    ]);
  });

  it("keeps a call's fields besides its input, except those that are null", () => {
    const block = {
      type: "tool_use",
      id: "toolu_0",
      name: "read_file",
      caller: { type: "direct" },
      note: null,
    } as const;
    const builder = message("tool_use", open(0, { ...block, input: {} }), close(0));
    expect(builder.content()).toEqual([
      { type: "tool_use", id: "toolu_0", name: "read_file", input: {}, extra: { caller: { type: "direct" } } },
    ]);
  });

  it("has a name that the API accepts for a tool the model made up", () => {
    const builder = message("tool_use", open(0, { type: "tool_use", id: "toolu_0", name: "functions.read" }), close(0));
    expect(builder.content()).toMatchObject([{ name: "unknown_functions_read" }]);
  });

  it("takes a call without any input as one with an empty input", () => {
    expect(message("tool_use", ...call(0)).content()).toEqual([
      { type: "tool_use", id: "toolu_0", name: "read_file", input: {} },
    ]);
  });

  it("keeps a call's input without the prototype that the model wrote", () => {
    const [kept] = message("tool_use", ...call(0, '{"path":"a.md","__proto__":{"x":1}}')).content();
    expect(kept?.type === "tool_use" && Object.getOwnPropertyNames(kept.input)).toEqual(["path"]);
  });

  it.each([
    ["max_tokens", "ran out of tokens"],
    ["model_context_window_exceeded", "ran out of context"],
    ["refusal", "was cut by the provider's classifiers"],
  ])("on %s leaves out the half call in which it %s, and keeps the whole one before it", (reason) => {
    const builder = message(reason, ...call(0, '{"path":"a.md"}'), ...call(1, '{"path":"b.m'));
    expect(builder.content()).toEqual([
      { type: "tool_use", id: "toolu_0", name: "read_file", input: { path: "a.md" } },
    ]);
  });

  it("leaves out a call that the stream ended in", () => {
    const builder = build(start, ...words(0, "I look."), ...call(1, '{"path":"a.md"}').slice(0, -1));
    expect(builder.content()).toEqual([{ type: "text", text: "I look." }]);
  });

  it("has no calls at all where the message was stopped or broke off", () => {
    const builder = build(start, ...words(0, "I look."), ...call(1, '{"path":"a.md"}'), ...words(2, "And "));
    expect(builder.contentWithoutCalls()).toEqual([
      { type: "text", text: "I look." },
      { type: "text", text: "And " },
    ]);
  });

  it("has no thinking behind a call that is left out: it is bound to what came before it", () => {
    const builder = build(
      start,
      ...thought(0, "a", "c2"),
      ...call(1, "{}"),
      ...thought(2, "b", "c3"),
      ...words(3, "So"),
    );
    expect(builder.contentWithoutCalls()).toEqual([
      { type: "thinking", thinking: "a", signature: "c2" },
      { type: "text", text: "So" },
    ]);
  });
});

/** A block of a kind that nobody knows, with deltas of any kind. */
const unknown = (index: number, block: { type: string; [field: string]: unknown }, ...deltas: (typeof block)[]) => [
  open(index, { type: "opaque", block }),
  ...deltas.map((delta) => grow(index, { type: "opaque_delta", delta })),
  close(index),
];

describe("a block of a kind that nobody knows", () => {
  it("is kept as it came, in its place", () => {
    const block = { type: "server_note", note: null, deep: { list: [1, "a"] } };
    expect(message("end_turn", ...words(0, "Hi"), ...unknown(1, block)).content()).toEqual([
      { type: "text", text: "Hi" },
      { type: "opaque", block },
    ]);
  });

  it("shows nothing to anybody, because it is not text", () => {
    expect(message("end_turn", ...unknown(0, { type: "note", text: "Hi" })).text).toBe("");
  });

  it("is left out where the stream ended in it", () => {
    const builder = build(start, ...words(0, "Hi"), ...unknown(1, { type: "server_note" }).slice(0, -1));
    expect(builder.contentWithoutCalls()).toEqual([{ type: "text", text: "Hi" }]);
  });

  it("counts to the message's length with all its deltas", () => {
    const delta = { type: "any_delta", data: "a".repeat(200_000) };
    expect(build(...unknown(0, { type: "server_note" }, delta)).isFull).toBe(false);
    expect(build(...unknown(0, { type: "server_note" }, delta, delta)).isFull).toBe(true);
  });

  it("whose input is not JSON breaks the stream", () => {
    const half = { type: "input_json_delta", partial_json: '{"q":' };
    const builder = message("end_turn", ...unknown(0, { type: "server_tool_use" }, half));
    expect(() => builder.content()).toThrow(expect.objectContaining(brokenOff));
    expect(builder.contentWithoutCalls()).toEqual([]);
    const more = build(start, ...unknown(0, { type: "server_tool_use" }, half), ...thought(1, "b", "c3"));
    expect(more.contentWithoutCalls()).toEqual([]);
  });
});

describe("a stream is broken, and worth another try", () => {
  it.each([
    ["half an object", '{"path":'],
    ["no object", '"a.md"'],
    ["a list", "[1]"],
    ["no JSON", "path"],
  ])("where a finished call's input is %s", (_, json) => {
    const builder = message("tool_use", ...call(0, json));
    expect(() => builder.content()).toThrow(expect.objectContaining(brokenOff));
  });

  it.each<[string, ModelEvent[]]>([
    ["a delta belongs to no block", [grow(0, { type: "text_delta", text: "Hi" })]],
    ["a block stops that never started", [close(0)]],
    [
      "text comes in a call",
      [open(0, { type: "tool_use", id: "a", name: "b" }), grow(0, { type: "text_delta", text: "Hi" })],
    ],
    [
      "thinking comes in a text",
      [open(0, { type: "text", text: "" }), grow(0, { type: "thinking_delta", thinking: "" })],
    ],
    [
      "a delta that nobody knows comes in a text",
      [open(0, { type: "text", text: "" }), grow(0, { type: "opaque_delta", delta: { type: "any_delta" } })],
    ],
  ])("where %s", (_, events) => {
    expect(() => build(start, ...events)).toThrow(expect.objectContaining(brokenOff));
  });
});

describe("the text", () => {
  it("is what came in text blocks, also what a block began with and what is blank", () => {
    const builder = build(start, open(0, { type: "text", text: "A" }), grow(0, { type: "text_delta", text: " " }));
    expect(builder.text).toBe("A ");
  });

  it("equals its deltas, however blocks lie between them", () => {
    const pieces = fc.array(fc.string({ maxLength: 20 }), { maxLength: 5 });
    const blocks = fc.array(fc.tuple(fc.constantFrom("text", "thought"), pieces), { maxLength: 5 });
    fc.assert(
      fc.property(blocks, (given) => {
        const events = given.flatMap(([kind, pieces], index) =>
          kind === "text" ? words(index, ...pieces) : thought(index, pieces.join(""), "c2ln"),
        );
        const deltas = given.flatMap(([kind, pieces]) => (kind === "text" ? pieces : []));
        expect(message("end_turn", ...events).text).toBe(deltas.join(""));
      }),
    );
  });
});

describe("usage", () => {
  it("takes later figures in place of earlier ones: the API's are cumulative", () => {
    expect(build(start, ended("end_turn", 20), ended("end_turn", 30)).usage).toEqual({
      inputTokens: 10,
      outputTokens: 30,
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
    });
  });

  it("keeps a figure that comes back as null or not at all", () => {
    const builder = build(start, {
      type: "message_delta",
      delta: {},
      usage: { input_tokens: null, cache_read_input_tokens: 9 },
    });
    expect(builder.usage).toEqual({ inputTokens: 10, outputTokens: 1, cacheReadTokens: 9, cacheWriteTokens: 2 });
  });

  it("is nothing before the model has said anything", () => {
    expect(build().usage).toEqual({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });
});

describe("the end of a message", () => {
  it.each(["end_turn", "tool_use", "max_tokens", "refusal", "pause_turn", "a_new_one"])(
    "is the model's own: %s",
    (reason) => {
      const builder = message(reason, ...words(0, "Hi"));
      expect([builder.stopReason, builder.isComplete]).toEqual([reason, true]);
    },
  );

  it("has not come before message_stop", () => {
    expect(build(start, ...words(0, "Hi"), ended("end_turn")).isComplete).toBe(false);
  });

  it("is max_tokens for a message as long as we keep one", () => {
    const builder = build(start, ...words(0, "a".repeat(150_000)), ...thought(1, "b".repeat(150_000), "c2ln"));
    expect([builder.isFull, builder.stopReason]).toEqual([true, "max_tokens"]);
  });

  it("counts what the provider alone can read to the length as well: a stored row ends at 2 MB", () => {
    const builder = build(start, open(0, { type: "redacted_thinking", data: "a".repeat(2_500_000) }), close(0));
    expect(builder.isFull).toBe(true);
  });
});
