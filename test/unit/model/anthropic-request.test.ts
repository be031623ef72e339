/** What goes out: the body with its cache breakpoints, and the headers of each kind of credential. */
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { anthropicModel } from "../../../src/model/anthropic/anthropic-model.ts";
import { betasOf, toCompactionParams, toMessagesParams } from "../../../src/model/anthropic/anthropic-request.ts";
import type { Credential } from "../../../src/model/credential.ts";
import type { ContentBlock, Message } from "../../../src/model/messages.ts";
import { ask, collect, modelAt } from "../../support/ask-model.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");
const ephemeral = { type: "ephemeral" };
const BINDING = "thinking-binding-controls-2026-08-01";
const COMPACTION = "compact-2026-09-04";

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties: {} },
});

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const thinking: ContentBlock = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "a", input: {} });
const result = (id: string): ContentBlock => ({ type: "tool_result", tool_use_id: id, content: "1" });
const failed = (id: string): ContentBlock => ({
  ...{ type: "tool_result", tool_use_id: id, content: "no", is_error: true },
});
const summary: ContentBlock = { type: "opaque", block: { type: "compaction", content: "So far.", signature: "c2ln" } };

const user = (...content: ContentBlock[]): Message => ({ role: "user", content });
const model = (...content: ContentBlock[]): Message => ({ role: "assistant", content });

/** The messages of a body, as they go out. */
const sent = (...messages: Message[]) => toMessagesParams(ask("", { messages })).messages;

/** Where a body's messages end a cached prefix: index of the message, and of its block. */
const marks = (...messages: Message[]): string[] =>
  sent(...messages).flatMap(({ content }, at) =>
    typeof content === "string"
      ? []
      : content.flatMap((block, index) => ("cache_control" in block ? [`${at}.${index}`] : [])),
  );

describe("the body", () => {
  it("is all of the request, in the API's words", () => {
    expect(
      toMessagesParams({
        model: "claude-sonnet-5-5",
        maxTokens: 500,
        system: ["Rules.", "More rules."],
        tools: [tool("a"), tool("b")],
        messages: [user(text("Do it.")), model(thinking, call("t1"), call("t2")), user(result("t1"), failed("t2"))],
      }),
    ).toEqual({
      model: "claude-sonnet-5-5",
      max_tokens: 500,
      stream: true,
      system: [
        { type: "text", text: "Rules." },
        { type: "text", text: "More rules.", cache_control: ephemeral },
      ],
      tools: [
        { name: "a", description: "Does a.", input_schema: { type: "object", properties: {} } },
        {
          name: "b",
          description: "Does b.",
          input_schema: { type: "object", properties: {} },
          cache_control: ephemeral,
        },
      ],
      messages: [
        { role: "user", content: [{ type: "text", text: "Do it.", cache_control: ephemeral }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "c2ln" },
            { type: "tool_use", id: "t1", name: "a", input: {} },
            { type: "tool_use", id: "t2", name: "a", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: "1" },
            { type: "tool_result", tool_use_id: "t2", content: "no", is_error: true, cache_control: ephemeral },
          ],
        },
      ],
    });
  });

  it("leaves out tools and system when there are none", () => {
    expect(Object.keys(toMessagesParams(ask("Hi")))).toEqual(["model", "max_tokens", "stream", "messages"]);
  });

  it("asks for thinking that is shown as a summary, and for an effort, where it is told to", () => {
    expect(toMessagesParams(ask("Hi", { hasThinking: true, effort: "low" }))).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    });
  });

  it("does not ask for thinking of a model without adaptive thinking", () => {
    expect(Object.keys(toMessagesParams(ask("Hi", { hasThinking: false })))).not.toContain("thinking");
  });

  it("is one the API accepts", async () => {
    const script = await scriptModel(modelUrl, [say("Hi")]);
    const model = anthropicModel({ name: "m", credential: { type: "api_key", secret: "k" }, baseUrl: modelUrl });
    await collect(model, ask(script.prompt("Hi"), { system: ["Rules."], tools: [tool("a")] }));
    expect(await script.violations()).toEqual([]);
  });
});

describe("a cached prefix ends", () => {
  it("with the two newest messages of the person, in their last block, where the last request has put it", () => {
    const before = [user(text("1")), model(text("a")), user(text("2"), text("3"))];
    expect(marks(...before)).toEqual(["0.0", "2.1"]);
    expect(marks(...before, model(call("t")), user(result("t"), text("note")))).toEqual(["2.1", "4.1"]);
  });

  it("with the only one where there is but one", () => {
    expect(marks(user(text("Hi")))).toEqual(["0.0"]);
    expect(marks(model(summary), user(text("Hi")))).toEqual(["1.0"]);
  });

  it("never with the model's words, also where a paused answer is last", () => {
    expect(marks(user(text("Hi")), model(text("So far")))).toEqual(["0.0"]);
    expect(marks(user(text("1")), model(text("a")), user(text("2")), model(text("So far")))).toEqual(["0.0", "2.0"]);
  });

  it("four times at most: with the tools, the rules, and two messages", () => {
    const messages = Array.from({ length: 9 }, (_, at) => (at % 2 === 0 ? user(text("Hi")) : model(text("Yes"))));
    const body = toMessagesParams(ask("", { messages, tools: [tool("a"), tool("b")], system: ["Rules."] }));
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
  });
});

describe("what the model wrote goes back", () => {
  it("as it came, where it is a block of a kind that nobody knows", () => {
    const block = { type: "server_note", note: null, deep: { list: [1] } };
    expect(sent(user(text("Hi")), model({ type: "opaque", block }))[1]?.content).toEqual([block]);
  });

  it("as it came, where it is thinking with an empty text, or that only the provider can read", () => {
    const content: ContentBlock[] = [
      { ...thinking, type: "thinking", thinking: "" },
      { type: "redacted_thinking", data: "b3Bh" },
    ];
    expect(sent(user(text("Hi")), model(...content))[1]?.content).toEqual(content);
  });

  it("with fields of a call that nobody knows", () => {
    const extra = { caller: { type: "direct" } };
    const block: ContentBlock = { type: "tool_use", id: "t", name: "a", input: {}, extra };
    expect(sent(user(text("Hi")), model(block))[1]?.content).toEqual([{ ...call("t"), ...extra }]);
  });

  it("without halves of characters that an earlier release has stored", () => {
    expect(sent(user(text("a\ud83d")), model(text("\ude00b")))).toMatchObject([
      { content: [{ text: "a\ufffd" }] },
      { content: [{ text: "\ufffdb" }] },
    ]);
  });
});

describe("thinking that no longer fits", () => {
  it("may be dropped where that is said, which needs a header", () => {
    const request = ask("Hi", { hasThinking: true, dropsBlocks: true });
    expect(toMessagesParams(request)).toMatchObject({
      thinking: {
        ...{ type: "adaptive", display: "summarized" },
        block_binding: { prefix_mismatch_behavior: "drop_block" },
      },
    });
    expect(betasOf(request, false)).toEqual([BINDING]);
  });

  it.each([
    ["nothing is said of it", { hasThinking: true, dropsBlocks: false }],
    ["the model does not think of its own accord", { hasThinking: false, dropsBlocks: true }],
  ])("is not spoken of where %s", (_, more) => {
    expect(JSON.stringify(toMessagesParams(ask("Hi", more)))).not.toContain("block_binding");
    expect(betasOf(ask("Hi", more), false)).toEqual([]);
  });
});

describe("a summary", () => {
  it("is asked for by the same body, so that the cache and the thinking behind it hold", () => {
    const request = ask("Hi", { system: ["Rules."], tools: [tool("a")], hasThinking: true });
    expect(toCompactionParams(request)).toEqual({
      ...toMessagesParams(request),
      compaction: { type: "summarize" },
    });
    expect(betasOf(request, true)).toEqual([COMPACTION]);
  });

  it("needs its header in each later request, besides others", () => {
    const request = ask("", { messages: [model(summary), user(text("Hi"))], hasThinking: true, dropsBlocks: true });
    expect(betasOf(request, false)).toEqual([BINDING, COMPACTION]);
    expect(betasOf(ask("", { messages: [user(text("compaction"))] }), false)).toEqual([]);
  });

  it("and what may be dropped go out with all their headers in one", async () => {
    const script = await scriptModel(modelUrl, [say("Hi")]);
    await script.withoutRules("compaction");
    const messages = [model(summary), user(text(script.prompt("Hi")))];
    const request = ask("", { messages, hasThinking: true, dropsBlocks: true });
    await collect(modelAt(modelUrl), request);
    expect((await script.requests())[0]?.headers["anthropic-beta"]).toBe(`${BINDING},${COMPACTION}`);
  });
});

describe("the headers", () => {
  it.each<[Credential, Record<string, string | undefined>]>([
    [
      { type: "api_key", secret: "key-1" },
      { "x-api-key": "key-1", authorization: undefined, "anthropic-beta": undefined },
    ],
    [
      { type: "auth_token", secret: "token-1" },
      { "x-api-key": undefined, authorization: "Bearer token-1", "anthropic-beta": undefined },
    ],
  ])("of $type carry that credential alone", async (credential, expected) => {
    const script = await scriptModel(modelUrl, [say("Hi")]);
    await collect(anthropicModel({ name: "m", credential, baseUrl: modelUrl }), ask(script.prompt("Hi")));
    const [request] = await script.requests();
    expect({
      "x-api-key": request?.headers["x-api-key"],
      authorization: request?.headers.authorization,
      "anthropic-beta": request?.headers["anthropic-beta"],
    }).toEqual(expected);
  });

  it("take nothing from the process's environment, which in a Worker holds every binding", async () => {
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    vi.stubEnv("ANTHROPIC_API_KEY", "another-key");
    vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "another-token");
    vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1");
    vi.stubEnv("ANTHROPIC_CUSTOM_HEADERS", "authorization: Bearer another-token");
    const script = await scriptModel(modelUrl, [say("Hi")]);
    const credential: Credential = { type: "api_key", secret: "key-1" };
    await collect(anthropicModel({ name: "m", credential, baseUrl: modelUrl }), ask(script.prompt("Hi")));
    const [request] = await script.requests();
    expect(request?.headers["x-api-key"]).toBe("key-1");
    expect(request?.headers.authorization).toBeUndefined();
  });
});
