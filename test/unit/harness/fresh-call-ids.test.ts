/** Which calls may get into a conversation: those whose ids it has not got yet. */
import { expect, it } from "vitest";
import { hasFreshCallIds } from "../../../src/harness/anthropic/stream-message.ts";
import type { Message } from "../../../src/model/messages.ts";

const call = (id: string) => ({ type: "tool_use" as const, id, name: "list-stocks", input: {} });

const before: readonly Message[] = [
  { role: "user", content: [{ type: "text", text: "Hello" }] },
  { role: "assistant", content: [call("a")] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "Nothing." }] },
];

it.each([
  ["without calls", [], true],
  ["with calls of new ids", [call("b"), call("c")], true],
  ["with one id for two calls", [call("b"), call("b")], false],
  ["with an id of an earlier message", [call("b"), call("a")], false],
])("a message %s is fresh: %s", (_, content, isFresh) => {
  expect(hasFreshCallIds(content, before)).toBe(isFresh);
});
