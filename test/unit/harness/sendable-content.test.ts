/** What of an answer goes back to the provider, by how its blocks stood beside each other. */
import { expect, it } from "vitest";
import { sendable } from "../../../src/harness/anthropic/sendable-content.ts";
import type { ContentBlock } from "../../../src/model/messages.ts";

const thinking = (text: string): ContentBlock => ({ type: "thinking", thinking: text, signature: "c2ln" });
const redacted: ContentBlock = { type: "redacted_thinking", data: "b3Bh" };
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "read_file", input: {} });

/** Stands for a block that is left out. */
const GONE = undefined;

it.each<[string, readonly (ContentBlock | undefined)[], readonly ContentBlock[]]>([
  ["nothing", [], []],
  ["an answer", [thinking("a"), text("b")], [thinking("a"), text("b")]],
  [
    "thinking between calls",
    [thinking("a"), call("1"), thinking("b"), call("2")],
    [thinking("a"), call("1"), thinking("b"), call("2")],
  ],
  ["thinking that was made side by side", [thinking("a"), redacted, call("1")], [thinking("a"), redacted, call("1")]],
  [
    "thinking that would move beside other thinking",
    [thinking("a"), GONE, thinking("b"), call("1")],
    [thinking("a"), call("1")],
  ],
  [
    "all thinking after that one, which is bound to it",
    [thinking("a"), GONE, redacted, text("b"), thinking("c"), call("1")],
    [thinking("a"), text("b"), call("1")],
  ],
  ["thinking behind what is left out first", [GONE, thinking("a"), text("b")], [thinking("a"), text("b")]],
  ["words behind the last call", [call("1"), text("a"), call("2"), text("b")], [call("1"), text("a"), call("2")]],
  ["thinking and words behind the last call", [text("a"), call("1"), thinking("b"), text("c")], [text("a"), call("1")]],
  ["words without a call", [text("a"), thinking("b"), text("c")], [text("a"), thinking("b"), text("c")]],
])("%s", (_what, came, goes) => {
  expect(sendable(came.map((block) => (block === GONE ? [] : [block])))).toEqual(goes);
});
