/** What the real SDK says that its model calls took: those that it streams, and those of its own, such as summaries. */
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { TurnLine } from "../../src/harness/agent-sdk/host-wire.ts";
import { callTools, say } from "../support/model-script.ts";
import { openMessage, openText, textDelta } from "../support/model-server/message-frames.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { type Provider, startProvider } from "./provider.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const Took = z.object({ inputTokens: z.number(), outputTokens: z.number() });
const Result = z.object({ type: z.literal("result"), model_usage_since_last_result: z.record(z.string(), Took) });

/** What each result of the turn says of the calls before it, by model. */
const told = (lines: readonly TurnLine[]) =>
  lines.flatMap((line) => {
    const result = line.type === "message" ? Result.safeParse(line.message).data : undefined;
    return result === undefined ? [] : [result.model_usage_since_last_result];
  });

const open = async () => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  return host;
};

it("counts a summary that it makes by itself in the turn that needs it, and not again in the next", async () => {
  const host = await open();
  const prompt = "[script:summary] go";
  await provider.script("summary", [
    callTools([{ name: "Read", input: { file_path: `${host.dir}/none.txt` } }], {
      usage: { input: 985_000, output: 5 },
    }),
    say("<summary>[script:summary] All that was said.</summary>", { usage: { input: 900_000, output: 2_000 } }),
    say("Read.", { usage: { input: 10, output: 5 } }),
    say("Next.", { usage: { input: 10, output: 5 } }),
  ]);
  const turn = { sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const first = await host.turn({ ...turn, turnId: "1", begin: { type: "new", prompt } });
  const next = await host.turn({ ...turn, turnId: "2", begin: { type: "message", prompt } });
  expect(JSON.stringify(first)).not.toContain('"input_tokens":900000');
  expect(told(first)).toMatchObject([
    { [MODEL]: { inputTokens: 985_000 + 900_000 + 10, outputTokens: 5 + 2_000 + 5 } },
  ]);
  expect(told(next)).toMatchObject([{ [MODEL]: { inputTokens: 10, outputTokens: 5 } }]);
});

it("counts a message that broke off, by its beginning, beside the one that was streamed again", async () => {
  const host = await open();
  const broken = [
    ...openMessage({ input: 700, output: 1 }),
    openText(0),
    textDelta(0, "Who"),
    { type: "hold" } as const,
  ];
  await provider.script("cut-usage", [{ type: "stream", frames: [...broken, { type: "cut" }] }, say("Whole.")]);
  const turn = { turnId: "cut-usage", sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const begin = { type: "new", prompt: "[script:cut-usage] go" };
  const lines = await host.turn({ ...turn, begin }, undefined, (line) => {
    const isText = JSON.stringify(line).includes('"content_block_delta"');
    if (isText) void fetch(`${provider.url}/release/cut-usage`, { method: "POST" });
  });
  expect(told(lines)).toMatchObject([{ [MODEL]: { inputTokens: 700 + 10, outputTokens: 1 + 5 } }]);
});
