/** The answer to a request for a summary: its block as it came, its text, and what it cost. */
import { describe, expect, inject, it } from "vitest";
import { modelEventReader, readCompaction } from "../../../src/model/anthropic/read-model-event.ts";
import type { ModelEvent } from "../../../src/model/model-event.ts";
import { ask, modelAt } from "../../support/ask-model.ts";
import { noSummary, summary, toCompaction } from "../../support/model-script.ts";
import type { StreamReply } from "../../support/model-server/reply.ts";
import { cutMidEvent } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

/** Asks a model that answers like this. */
const compact = async (reply: StreamReply) => {
  const script = await scriptModel(modelUrl, [reply]);
  const made = modelAt(modelUrl).compact?.(ask(script.prompt("Hi")), new AbortController().signal);
  return { script, made };
};

/** Events as the provider spells them. */
const read = async (...raw: readonly object[]) => {
  const reader = modelEventReader();
  const events = raw.flatMap((event): ModelEvent[] => {
    const known = reader(event);
    return known === undefined ? [] : [known];
  });
  return await readCompaction(
    (async function* () {
      yield* events;
    })(),
  );
};

const open = (block: object) => ({ type: "content_block_start", index: 0, content_block: block });
const grow = (delta: object) => ({ type: "content_block_delta", index: 0, delta });
const ended = (usage: object) => ({ type: "message_delta", delta: { stop_reason: "compaction" }, usage });

const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

describe("a summary", () => {
  it.each([
    ["whole in the start of its block", { fields: { encrypted_content: null } }],
    ["in a delta", { fields: { encrypted_content: null }, inDelta: true }],
  ])("that comes %s is kept as it came", async (_, options) => {
    const { made, script } = await compact(summary("They met.", options));
    expect(await made).toEqual({
      block: {
        type: "opaque",
        block: {
          ...{ type: "compaction", content: "They met.", encrypted_content: null },
          signature: expect.stringMatching(/^[\w+/]{90,}=*$/),
        },
      },
      text: "They met.",
      usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
    expect(await script.violations()).toEqual([]);
  });

  it("grows by its deltas, and takes what is set after them", async () => {
    const { block, text } = await read(
      open({ type: "compaction", content: null }),
      ...["They ", "met."].map((content) => grow({ type: "compaction_delta", content })),
      grow({ type: "signature_delta", signature: "c2ln" }),
    );
    expect(block.block).toEqual({ type: "compaction", content: "They met.", signature: "c2ln" });
    expect(text).toBe("They met.");
  });
});

describe("what a summary cost", () => {
  const whole = open({ type: "compaction", content: "They met." });
  const part = (type: string, input: number) => ({ type, input_tokens: input, output_tokens: 2 });

  it("is distinguished from the answer around it, and added to it", async () => {
    const { usage } = await read(
      { type: "message_start", message: { usage: { input_tokens: 3, output_tokens: 1 } } },
      whole,
      ended({ output_tokens: 4, iterations: [{ ...part("compaction", 90), cache_read_input_tokens: 50 }] }),
    );
    expect(usage).toEqual({ inputTokens: 93, outputTokens: 6, cacheReadTokens: 50, cacheWriteTokens: 0 });
  });

  it("is all summaries' together, and no other part's", async () => {
    const iterations = [part("compaction", 90), part("message", 7), part("compaction", 10)];
    expect((await read(whole, ended({ iterations }))).usage).toEqual({ ...noUsage, inputTokens: 100, outputTokens: 4 });
  });

  it("is counted once where the parts come more than once: later figures replace earlier ones", async () => {
    const { usage } = await read(
      { type: "message_start", message: { usage: { iterations: [part("compaction", 1)] } } },
      whole,
      ended({ iterations: [part("compaction", 90)] }),
    );
    expect(usage).toEqual({ ...noUsage, inputTokens: 90, outputTokens: 2 });
  });

  it("is the answer's own when no parts are reported", async () => {
    expect((await read(whole, ended({ output_tokens: 4 }))).usage).toEqual({ ...noUsage, outputTokens: 4 });
  });
});

describe("no summary", () => {
  const failure = { code: "model_unavailable", isRetryable: false, message: "The model gave no summary." };

  it.each([
    ["null", null],
    ["empty", ""],
    ["blank", " \n"],
  ])("has come about where its content is %s", async (_, content) => {
    await expect(read(open({ type: "compaction", content }))).rejects.toMatchObject(failure);
  });

  it("has come about where another block came", async () => {
    await expect(read(open({ type: "server_note", content: "Hm." }))).rejects.toMatchObject(failure);
    await expect(read(open({ type: "text", text: "They met." }))).rejects.toMatchObject(failure);
  });

  it("has come about where the answer is empty", async () => {
    const { made } = await compact(noSummary("max_tokens"));
    await expect(made).rejects.toMatchObject(failure);
  });

  it("is what a broken stream comes to, in that stream's own words", async () => {
    const { made } = await compact(toCompaction(cutMidEvent("They")));
    await expect(made).rejects.toMatchObject({ code: "model_unavailable", message: "The model's answer was cut off." });
  });
});
