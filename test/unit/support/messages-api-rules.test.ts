/** The model server refuses what the real API refuses, so that a test cannot pass with a request that would fail. */
import { describe, expect, it } from "vitest";
import { requestProblem } from "../../support/model-server/messages-api-rules.ts";

const text = (words: string) => ({ type: "text", text: words });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const use = (id: string) => ({ type: "tool_use", id, name: "read_file", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const tool = (name: string) => ({ name, description: "", input_schema: { type: "object" } });
const cached = { cache_control: { type: "ephemeral" } };

const request = (messages: unknown[], more: Record<string, unknown> = {}) => ({
  model: "claude-sonnet-5-5",
  max_tokens: 100,
  stream: true,
  messages,
  ...more,
});

describe("accepts", () => {
  it.each<[string, unknown]>([
    ["a prompt", request([user(text("Hi"))])],
    [
      "calls answered in any order",
      request([user(text("Hi")), assistant(use("a"), use("b")), user(result("b"), result("a"))]),
    ],
    ["a text after the results", request([user(text("Hi")), assistant(use("a")), user(result("a"), text("Go on"))])],
    ["a paused answer sent back", request([user(text("Hi")), assistant(text("So far"))])],
    [
      "signed thinking",
      request([
        user(text("Hi")),
        assistant({ type: "thinking", thinking: "", signature: "c2ln" }, text("A")),
        user(text("B")),
      ]),
    ],
  ])("%s", (_name, body) => {
    expect(requestProblem(body)).toBeUndefined();
  });
});

describe("refuses", () => {
  it.each<[string, unknown, string]>([
    ["no max_tokens", { ...request([user(text("Hi"))]), max_tokens: undefined }, "max_tokens"],
    ["a parameter it does not know", request([user(text("Hi"))], { temperature: 1 }), "temperature"],
    ["no messages", request([]), "messages"],
    ["a first message of the model", request([assistant(text("Hi"))]), "first message must use the user role"],
    ["a message without content", request([user()]), "messages.0.content"],
    ["an empty text", request([user(text(" "))]), "non-whitespace"],
    [
      "a call without a result",
      request([user(text("Hi")), assistant(use("a"), use("b")), user(result("a"))]),
      "without `tool_result`",
    ],
    ["a call as the last word", request([user(text("Hi")), assistant(use("a"))]), "without `tool_result`"],
    [
      "a result without its call",
      request([user(text("Hi")), assistant(text("A")), user(result("a"))]),
      "unexpected `tool_use_id`",
    ],
    [
      "a result one message late",
      request([user(text("Hi")), assistant(use("a")), user(text("B")), user(result("a"))]),
      "without `tool_result`",
    ],
    [
      "two results of a call",
      request([user(text("Hi")), assistant(use("a")), user(result("a"), result("a"))]),
      "single result",
    ],
    [
      "a text before the results",
      request([user(text("Hi")), assistant(use("a")), user(text("B"), result("a"))]),
      "must come first",
    ],
    [
      "an id used twice",
      request([user(text("Hi")), assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))]),
      "ids must be unique",
    ],
    ["a call by the user", request([user(use("a")), user(result("a"))]), "text and tool_result blocks only"],
    [
      "unsigned thinking",
      request([user(text("Hi")), assistant({ type: "thinking", thinking: "Hm", signature: "" })]),
      "signature",
    ],
    ["tools of one name", request([user(text("Hi"))], { tools: [tool("a"), tool("a")] }), "Tool names must be unique"],
    ["a tool's name with a space", request([user(text("Hi"))], { tools: [tool("a b")] }), "tools.0.name"],
    [
      "five breakpoints",
      request([user(...Array.from({ length: 5 }, () => ({ ...text("Hi"), ...cached })))]),
      "maximum of 4",
    ],
  ])("%s", (_name, body, problem) => {
    expect(requestProblem(body)).toContain(problem);
  });
});
