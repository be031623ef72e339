/** Results that are longer than the real SDK gives to its model unasked. */
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { MAX_OUTPUT_BYTES } from "../../src/harness/model-text.ts";
import { callTools, say } from "../support/model-script.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { type Provider, startProvider } from "./provider.ts";
import { TOOLS } from "./scenario.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

it("the longest result of a tool of ours reaches the model whole", async () => {
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  const end = "[the end]";
  const output = end.padStart(MAX_OUTPUT_BYTES, "x");
  await provider.script("long", [callTools([{ name: "mcp__tally__list-stocks", input: {} }]), say("Long.")]);
  const turn = { turnId: "long", sessionId: crypto.randomUUID(), model: MODEL, tools: TOOLS };
  const begin = { type: "new", prompt: "[script:long] go" };
  await host.turn({ ...turn, begin }, () => ({ type: "tool", output, isError: false }));
  expect(JSON.stringify((await provider.requests("long")).at(-1)?.body.messages)).toContain(end);
});
