/** What a provider may send that fits nowhere: the run ends, and its thread goes on. */
import { describe, inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import {
  closeBlock,
  closeMessage,
  event,
  inputDelta,
  openMessage,
  openText,
  openToolUse,
  textDelta,
} from "../../support/model-server/message-frames.ts";
import type { Frame } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

/** More than a row of an object's store takes. */
const LONG = "a".repeat(10_000_000);

const block = (...frames: Frame[]): Frame[] => [
  ...openMessage(),
  ...[openText(0), textDelta(0, "Hi."), closeBlock(0)],
  ...[...frames, closeBlock(1)],
  ...closeMessage("end_turn"),
];

describe("a message with", () => {
  it.for([
    ["a text", block(openText(1), textDelta(1, LONG))],
    [
      "a text at its start",
      block(event("content_block_start", { index: 1, content_block: { type: "text", text: LONG } })),
    ],
    [
      "thinking",
      block(
        event("content_block_start", { index: 1, content_block: { type: "thinking", thinking: "", signature: "s" } }),
        event("content_block_delta", { index: 1, delta: { type: "thinking_delta", thinking: LONG } }),
      ),
    ],
    [
      "a signature",
      block(
        event("content_block_start", { index: 1, content_block: { type: "thinking", thinking: "Hm.", signature: "" } }),
        event("content_block_delta", { index: 1, delta: { type: "signature_delta", signature: LONG } }),
      ),
    ],
    [
      "what only the provider can read",
      block(event("content_block_start", { index: 1, content_block: { type: "redacted_thinking", data: LONG } })),
    ],
    ["a call's input", block(openToolUse(1, "toolu_1", "list-stocks"), inputDelta(1, JSON.stringify({ q: LONG })))],
  ] as const)("%s that no row takes ends the turn, and the next one begins", async ([, frames], { expect }) => {
    const model = await scriptModel(inject("modelUrl"), [{ type: "stream", frames }, say("Next.")]);
    const client = somebody();
    const first = await client.startTurn("t", model.prompt("Hello"));
    const events = await client.events(first.events);
    expectWhole(events, "incomplete");
    expect(theOnly(events, "message_end")).toMatchObject({ text: "Hi.", stopReason: "max_tokens" });
    const second = await client.startTurn("t", model.prompt("And now?"));
    expectWhole(await client.events(second.events), "completed");
    expect(await model.requests()).toHaveLength(2);
  });
});

it("a call whose input is nested too deeply to be stored fails, and its turn goes on", async ({ expect }) => {
  const [open, close] = ["[", "]"].map((bracket) => bracket.repeat(40_000));
  const call = [openToolUse(0, "toolu_1", "list-stocks"), inputDelta(0, `{"search":${open}${close}}`), closeBlock(0)];
  const model = await scriptModel(inject("modelUrl"), [
    { type: "stream", frames: [...openMessage(), ...call, ...closeMessage("tool_use")] },
    say("Again, then."),
  ]);
  const client = somebody();
  const events = await client.events((await client.startTurn("t", model.prompt("Hello"))).events);
  expectWhole(events, "completed");
  expect(theOnly(events, "tool_end")).toMatchObject({ status: "failed", output: expect.stringMatching(/^search: /) });
  expect(await model.violations()).toEqual([]);
});
