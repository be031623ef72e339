/** The model server refuses what the real API refuses, so that a test cannot pass with a request that would fail. */
import { describe, expect, it } from "vitest";
import { requestProblem } from "../../../support/model-server/messages-api-rules.ts";
import type { RuleName } from "../../../support/model-server/rules/rule.ts";

const text = (words: string) => ({ type: "text", text: words });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const system = (...content: unknown[]) => ({ role: "system", content });
const use = (id: string, name = "read_file") => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, content: unknown = "ok") => ({ type: "tool_result", tool_use_id: id, content });
const tool = (name: string) => ({ name, description: "", input_schema: { type: "object" } });
const cached = { cache_control: { type: "ephemeral" } };
const thinking = { type: "thinking", thinking: "", signature: "c2ln" };

const request = (messages: unknown[], more: Record<string, unknown> = {}) => ({
  model: "claude-sonnet-5-5",
  max_tokens: 100,
  stream: true,
  messages,
  ...more,
});
const hi = (more: Record<string, unknown> = {}) => request([user(text("Hi"))], more);

describe("accepts", () => {
  it.each<[string, unknown]>([
    ["a prompt", hi()],
    ["a content that is a string", request([{ role: "user", content: "Hi" }], { system: "Be brief." })],
    [
      "calls answered in any order",
      request([user(text("Hi")), assistant(use("a"), use("b")), user(result("b"), result("a"))]),
    ],
    [
      "words behind a call of an earlier answer",
      request([
        ...[user(text("Hi")), assistant(use("a"), text("So")), user(result("a"))],
        ...[assistant(text("Done.")), user(text("Go on"))],
      ]),
    ],
    ["a text after the results", request([user(text("Hi")), assistant(use("a")), user(result("a"), text("Go on"))])],
    ["a result in blocks", request([user(text("Hi")), assistant(use("a")), user(result("a", [text("ok")]))])],
    ["messages of one role behind each other", request([user(text("Hi")), user(text("Still there?"))])],
    ["thinking without its text", request([user(text("Hi")), assistant(thinking, text("A")), user(text("B"))])],
    ["a system message after the prompt", request([user(text("Hi")), system(text("It is Monday."))])],
    ["the most that a model can write", hi({ max_tokens: 128_000 })],
    ["adaptive thinking that is shown", hi({ thinking: { type: "adaptive", display: "summarized" } })],
    ["an effort", hi({ output_config: { effort: "xhigh" } })],
    ["a tool of 128 characters", hi({ tools: [tool("a".repeat(128))] })],
    ["a whole surrogate pair", request([user(text("💥"))])],
    [
      "an answer put into the mouth of an old model",
      request([user(text("Hi")), assistant(text("A"))], { model: "claude-haiku-4-5" }),
    ],
  ])("%s", (_name, body) => {
    expect(requestProblem(body)).toBeUndefined();
  });

  it("betas that exist", () => {
    const headers = { "anthropic-beta": "compact-2026-09-04, thinking-binding-controls-2026-08-01" };
    const binding = { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } };
    expect(requestProblem(hi(binding), { headers })).toBeUndefined();
  });
});

const REFUSED: [RuleName, string, unknown, string][] = [
  ["fields", "a parameter it does not know", hi({ temperatur: 1 }), "temperatur: Extra inputs are not permitted"],
  ["fields", "a parameter of a beta that is not asked for", hi({ speed: "fast" }), "speed: Extra inputs"],
  ["fields", "a field of a message", request([{ ...user(text("Hi")), id: "m1" }]), "messages.0.id: Extra inputs"],
  [
    "fields",
    "a passing system message without its beta",
    request([user(text("Hi")), { ...system(text("A")), clear_at: "next_user_message" }]),
    "messages.1.clear_at: Extra inputs",
  ],
  ["fields", "a field of a block", request([user({ ...text("Hi"), at: 1 })]), "messages.0.content.0.at: Extra inputs"],
  ["fields", "half a token", hi({ max_tokens: 1.5 }), "max_tokens"],
  ["fields", "no messages", request([]), "messages"],
  ["fields", "a tool without a schema", hi({ tools: [{ name: "a" }] }), "tools.0.input_schema"],
  [
    "fields",
    "thinking without a signature",
    request([user(text("Hi")), assistant({ ...thinking, signature: "" }, text("A")), user(text("B"))]),
    "signature",
  ],
  ["models", "a model that is not there", hi({ model: "claude-99" }), "model: claude-99"],
  [
    "length",
    "more than the model's window holds",
    hi({ model: "claude-haiku-4-5", system: [text("a".repeat(800_000))] }),
    "prompt is too long: 200",
  ],
  ["maxTokens", "no room for an answer", hi({ max_tokens: 0 }), "greater than or equal to 1"],
  ["maxTokens", "more than the model can write", hi({ max_tokens: 128_001 }), "128001 > 128000, which is the maximum"],
  [
    "maxTokens",
    "more than a smaller model can write",
    hi({ model: "claude-haiku-4-5", max_tokens: 64_001 }),
    "64001 > 64000",
  ],
  ["thinking", "thinking turned off", hi({ thinking: { type: "disabled" } }), '"thinking.type.between_tools"'],
  ["thinking", "thinking on a budget", hi({ thinking: { type: "enabled", budget_tokens: 1_024 } }), "type.enabled"],
  [
    "thinking",
    "notes between tools at high effort",
    hi({ thinking: { type: "between_tools" }, output_config: { effort: "max" } }),
    "between_tools",
  ],
  [
    "thinking",
    "a binding without its beta",
    hi({ thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } }),
    "block_binding: Extra inputs are not permitted",
  ],
  [
    "thinking",
    "adaptive thinking of a model without it",
    hi({ model: "claude-haiku-4-5", thinking: { type: "adaptive" } }),
    "adaptive thinking is not supported on this model",
  ],
  ["effort", "an effort that is no level", hi({ output_config: { effort: "huge" } }), "output_config.effort"],
  [
    "effort",
    "an effort of a model without levels",
    hi({ model: "claude-haiku-4-5", output_config: { effort: "low" } }),
    "effort",
  ],
  ["sampling", "a temperature", hi({ temperature: 0 }), "`temperature` is deprecated for this model."],
  ["toolChoice", "a call that is forced", hi({ tool_choice: { type: "any" } }), "tool_choice"],
  ["toolNames", "tools of one name", hi({ tools: [tool("a"), tool("a")] }), "Tool names must be unique"],
  ["toolNames", "a tool's name with a space", hi({ tools: [tool("a b")] }), "tools.0.custom.name: String should match"],
  ["toolNames", "a name of 129 characters", hi({ tools: [tool("a".repeat(129))] }), "tools.0.custom.name"],
  [
    "toolNames",
    "a called name with a dot",
    request([user(text("Hi")), assistant(use("a", "mcp.read")), user(result("a"))]),
    "messages.1.content.0.tool_use.name: String should match pattern",
  ],
  [
    "toolSchemas",
    "a tool that takes one of several objects",
    hi({ tools: [{ name: "a", input_schema: { type: "object", anyOf: [{}] } }] }),
    "tools.0.custom.input_schema: input_schema does not support oneOf",
  ],
  [
    "toolSchemas",
    "a field whose name has a blank",
    hi({ tools: [{ name: "a", input_schema: { type: "object", properties: { b: { properties: { "c d": {} } } } } }] }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern",
  ],
  [
    "toolSchemas",
    "a schema of draft 4",
    hi({ tools: [{ name: "a", input_schema: { type: "object", properties: { b: { exclusiveMinimum: true } } } }] }),
    "JSON schema is invalid. It must match JSON Schema draft 2020-12",
  ],
  ["emptyContent", "a message without content", request([user()]), "messages.0: all messages must have non-empty"],
  [
    "emptyContent",
    "an error without words",
    request([user(text("Hi")), assistant(use("a")), user({ ...result("a"), content: "", is_error: true })]),
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
  ],
  ["blankText", "an empty text", request([user(text(" \n"))]), "messages: text content blocks must contain non-white"],
  ["blankText", "an empty system prompt", hi({ system: [text("")] }), "system: text content blocks"],
  [
    "cacheControl",
    "five breakpoints",
    request([user(...Array.from({ length: 5 }, () => ({ ...text("Hi"), ...cached })))]),
    "maximum of 4",
  ],
  ["surrogates", "half a character", request([user(text("\ud83d"))]), "no low surrogate in string"],
  ["surrogates", "half a character in a key", request([user(text("Hi"))], { metadata: { user_id: "\udca5" } }), "JSON"],
  ["roles", "a first message of the model", request([assistant(text("Hi")), user(text("A"))]), "use the user role"],
  ["roles", "a role that does not exist", request([{ role: "tool", content: "Hi" }]), "Unexpected role"],
  ["roles", "a call by the user", request([user(use("a")), user(result("a"))]), "cannot be in user messages"],
  ["roles", "a system message at the start", request([system(text("A")), user(text("Hi"))]), "messages.0: use the top"],
  [
    "roles",
    "a system message before the prompt",
    request([user(text("Hi")), assistant(text("A")), system(text("B")), user(text("C"))]),
    "messages.2: a system message must follow a user message",
  ],
  [
    "roles",
    "a system message between prompts",
    request([user(text("Hi")), system(text("B")), user(text("C"))]),
    "messages.1: a system message must be the last",
  ],
  ["prefill", "words put into the model's mouth", request([user(text("Hi")), assistant(text("So"))]), "prefill"],
  [
    "prefill",
    "blanks at the end of words put into an old model's mouth",
    request([user(text("Hi")), assistant(text("So "))], { model: "claude-haiku-4-5" }),
    "trailing whitespace",
  ],
  [
    "lastAnswer",
    "words behind a call that is answered",
    request([user(text("Hi")), assistant(use("a"), text("So")), user(result("a"))]),
    "prefill",
  ],
  [
    "lastAnswer",
    "an answer that ends with thinking",
    request([user(text("Hi")), assistant(text("A"), thinking), user(text("B"))]),
    "messages.1: The final block in an assistant message cannot be `thinking`",
  ],
];

it("accepts a passing system message with its beta", () => {
  const headers = { "anthropic-beta": "mid-conversation-system-clear-at-2026-08-21" };
  const body = request([user(text("Hi")), { ...system(text("A")), clear_at: "next_user_message" }]);
  expect(requestProblem(body, { headers })).toBeUndefined();
});

describe("refuses", () => {
  it.each(REFUSED)("by rule %s: %s", (_rule, _name, body, problem) => {
    expect(requestProblem(body)).toContain(problem);
  });

  it("thinking with a breakpoint", () => {
    const body = request([user(text("Hi")), assistant({ ...thinking, ...cached }, text("A")), user(text("B"))]);
    expect(requestProblem(body, { off: ["fields"] })).toContain("thinking.cache_control: Extra inputs");
  });

  it("more bytes than any request may have", () => {
    const body = hi({ model: "claude-sonnet-5-5", system: [text("a".repeat(33_600_000))] });
    expect(requestProblem(body)).toBe("Request exceeds the maximum size");
  });

  it("betas that do not exist", () => {
    const headers = { "anthropic-beta": "compact-2026-09-04,faster-2026-01-01" };
    const problem = "Unexpected value(s) `faster-2026-01-01` for the `anthropic-beta` header.";
    expect(requestProblem(hi(), { headers })).toContain(problem);
    expect(requestProblem(hi(), { headers, off: ["betas"] })).toBeUndefined();
  });

  it("the token of a subscription", () => {
    const headers = { authorization: "Bearer sk-ant-oat01-abc", "anthropic-beta": "oauth-2025-04-20" };
    expect(requestProblem(hi(), { headers })).toBe("OAuth authentication is currently not supported.");
    expect(requestProblem(hi(), { headers, off: ["oauth"] })).toBeUndefined();
  });
});

describe("lets through, with the rule off:", () => {
  it.each(REFUSED)("%s: %s", (rule, _name, body) => {
    expect(requestProblem(body, { off: [rule] })).toBeUndefined();
  });
});

describe("of calls and results, refuses", () => {
  const PAIRS: [string, unknown, string][] = [
    [
      "a call without a result",
      request([user(text("Hi")), assistant(use("a"), use("b")), user(result("a"))]),
      "without `tool_result`",
    ],
    [
      "a call as the last word",
      request([user(text("Hi")), assistant(use("a"))], { model: "claude-haiku-4-5" }),
      "without `tool_result`",
    ],
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
  ];

  it.each(PAIRS)("%s", (_name, body, problem) => {
    expect(requestProblem(body)).toContain(problem);
    expect(requestProblem(body, { off: ["pairing"] })).toBeUndefined();
  });
});
