/** What goes out: the body with its cache breakpoints, and the headers of each kind of credential. */
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { anthropicModel } from "../../../src/model/anthropic-model.ts";
import { toMessagesParams } from "../../../src/model/anthropic-request.ts";
import type { Credential } from "../../../src/model/credential.ts";
import { ask, collect } from "../../support/ask-model.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");
const ephemeral = { type: "ephemeral" };

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties: {} },
});

describe("the body", () => {
  it("has breakpoints on the last tool, the first system part and the last block of the last user message", () => {
    const params = toMessagesParams({
      model: "claude-sonnet-5-5",
      maxTokens: 500,
      system: ["Rules.", "Today."],
      tools: [tool("a"), tool("b")],
      messages: [
        { role: "user", content: [{ type: "text", text: "Do it." }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "c2ln" },
            { type: "tool_use", id: "t1", name: "a", input: {} },
            { type: "tool_use", id: "t2", name: "b", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: "1" },
            { type: "tool_result", tool_use_id: "t2", content: "no", is_error: true },
          ],
        },
      ],
    });
    expect(params).toEqual({
      model: "claude-sonnet-5-5",
      max_tokens: 500,
      stream: true,
      system: [
        { type: "text", text: "Rules.", cache_control: ephemeral },
        { type: "text", text: "Today." },
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
        { role: "user", content: [{ type: "text", text: "Do it." }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "c2ln" },
            { type: "tool_use", id: "t1", name: "a", input: {} },
            { type: "tool_use", id: "t2", name: "b", input: {} },
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

  it("keeps its breakpoint on the user's message when a paused answer of the model is last", () => {
    const params = toMessagesParams(
      ask("Hi", {
        messages: [
          { role: "user", content: [{ type: "text", text: "Hi" }] },
          { role: "assistant", content: [{ type: "text", text: "So far" }] },
        ],
      }),
    );
    expect(params.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Hi", cache_control: ephemeral }] },
      { role: "assistant", content: [{ type: "text", text: "So far" }] },
    ]);
  });

  it("is one the API accepts", async () => {
    const script = await scriptModel(modelUrl, [say("Hi")]);
    const model = anthropicModel({ name: "m", credential: { type: "api_key", secret: "k" }, baseUrl: modelUrl });
    await collect(model, ask(script.prompt("Hi"), { system: ["Rules."], tools: [tool("a")] }));
    expect(await script.violations()).toEqual([]);
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
    [
      { type: "oauth_token", secret: "token-2" },
      { "x-api-key": undefined, authorization: "Bearer token-2", "anthropic-beta": "oauth-2025-04-20" },
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
