/** A call's input that is nested as deep as no tool takes: it can be stored, and the tool refuses it like any other. */
import { expect, it } from "vitest";
import { SdkMessage } from "../../../src/harness/agent-sdk/sdk-message.ts";
import { MessageBuilder } from "../../../src/harness/anthropic/message-builder.ts";

const nested = (levels: number): string => `${"[".repeat(levels)}1${"]".repeat(levels)}`;

/** The content of a message of one call with this input. */
const called = (json: string) => {
  const builder = new MessageBuilder();
  builder.add({
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "t", name: "list_files" },
  });
  builder.add({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: json } });
  builder.add({ type: "content_block_stop", index: 0 });
  builder.add({ type: "message_stop" });
  return builder.content();
};

const CUT = `{"a":${nested(99).replace("1", '"[nested too deeply]"')},"b":"c"}`;

it("is kept as far as a tool might take it", () => {
  const given = `{"a":${nested(40_000)},"b":"c"}`;
  expect(JSON.stringify(called(given))).toContain(CUT);
  const block = { type: "tool_use", id: "t", name: "Read", input: JSON.parse(given) };
  expect(JSON.stringify(SdkMessage.parse({ type: "assistant", message: { content: [block] } }))).toContain(CUT);
});

it("is kept unchanged up to there", () => {
  const given = `{"a":${nested(99)},"b":{"c":null}}`;
  expect(JSON.stringify(called(given))).toContain(given);
});
