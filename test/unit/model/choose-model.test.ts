/** Which model an environment gets, seen from outside: its name, the requests it sends, the failure it gives. */
import { describe, expect, inject, it } from "vitest";
import { modelBaseUrl } from "../../../src/model/base-url.ts";
import { chooseModel, type ModelVariables } from "../../../src/model/choose-model.ts";
import { ask, collect } from "../../support/ask-model.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const ANTHROPIC_BASE_URL = inject("modelUrl");

const headersSentWith = async (variables: ModelVariables) => {
  const script = await scriptModel(ANTHROPIC_BASE_URL, [say("Hi")]);
  await collect(chooseModel({ ...variables, ANTHROPIC_BASE_URL }), ask(script.prompt("Hi")));
  const [request] = await script.requests();
  return { apiKey: request?.headers["x-api-key"], authorization: request?.headers.authorization };
};

describe("the credential", () => {
  it.each<[string, ModelVariables, { apiKey?: string; authorization?: string }]>([
    ["is the API key first", { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" }, { apiKey: "k" }],
    [
      "is the auth token next",
      { ANTHROPIC_AUTH_TOKEN: "t", CLAUDE_CODE_OAUTH_TOKEN: "o" },
      { authorization: "Bearer t" },
    ],
    ["is the subscription's token last", { CLAUDE_CODE_OAUTH_TOKEN: "o" }, { authorization: "Bearer o" }],
    [
      "is not an empty variable",
      { ANTHROPIC_API_KEY: " ", ANTHROPIC_AUTH_TOKEN: "t\n" },
      { authorization: "Bearer t" },
    ],
    ["wins over the demo model", { ANTHROPIC_API_KEY: "k", DEMO_MODEL: "true" }, { apiKey: "k" }],
  ])("%s", async (_name, variables, expected) => {
    expect(await headersSentWith(variables)).toEqual(expected);
  });
});

describe("the name", () => {
  it.each<[string, ModelVariables, string]>([
    ["is the default", { ANTHROPIC_API_KEY: "k" }, "claude-sonnet-5-5"],
    ["is what AGENT_MODEL says", { ANTHROPIC_API_KEY: "k", AGENT_MODEL: " claude-opus-5 " }, "claude-opus-5"],
    ["is demo for the demo model", { DEMO_MODEL: "true", AGENT_MODEL: "claude-opus-5" }, "demo"],
    ["is the model that would have been asked, without a credential", {}, "claude-sonnet-5-5"],
  ])("%s", (_name, variables, expected) => {
    expect(chooseModel(variables).name).toBe(expected);
  });
});

describe("no credential", () => {
  it("fails with model_auth when the model is asked, not before", async () => {
    const model = chooseModel({});
    await expect(collect(model, ask("Hi"))).rejects.toMatchObject({
      code: "model_auth",
      isRetryable: false,
      message: "No model credential is set. Set ANTHROPIC_API_KEY.",
    });
  });

  it("does not get the demo model when that is switched off", () => {
    expect(chooseModel({ DEMO_MODEL: "false" }).name).toBe("claude-sonnet-5-5");
  });
});

describe("the base address", () => {
  it.each(["http://localhost:9", "http://127.0.0.1:9/", "https://[::1]:9", " http://LOCALHOST "])(
    "may be %s",
    (url) => {
      const lines: string[] = [];
      expect(modelBaseUrl(url, (line) => lines.push(line))).toBe(url.trim());
      expect(lines).toEqual([]);
    },
  );

  it.each([
    "https://gateway.example/v1",
    "http://127.0.0.1.gateway.example",
    "http://localhost@gateway.example",
    "ftp://localhost",
    "not a url",
  ])("is never %s (spec §1.5), and the log says so", (url) => {
    const lines: string[] = [];
    expect(modelBaseUrl(url, (line) => lines.push(line))).toBe("https://api.anthropic.com");
    expect(lines).toEqual([
      '{"level":"warn","message":"ANTHROPIC_BASE_URL is ignored: it is not a loopback address."}',
    ]);
  });

  it.each([undefined, "", " "])("is the provider's own for %j", (url) => {
    expect(modelBaseUrl(url, () => expect.unreachable())).toBe("https://api.anthropic.com");
  });
});
