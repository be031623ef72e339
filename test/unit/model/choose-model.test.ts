/** Which model an environment gets, seen from outside: its name, the requests it sends, the failure it gives. */
import { describe, expect, inject, it } from "vitest";
import type { ModelVariables } from "../../../src/model/allowed-models.ts";
import { modelBaseUrl } from "../../../src/model/anthropic/base-url.ts";
import { chooseModel } from "../../../src/model/choose-model.ts";
import { committedFacts } from "../../../src/model/model-facts.ts";
import { ask, collect } from "../../support/ask-model.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const ANTHROPIC_BASE_URL = inject("modelUrl");

const headersSentWith = async (variables: ModelVariables) => {
  const script = await scriptModel(ANTHROPIC_BASE_URL, [say("Hi")]);
  // Tokens of the provider's federation look like a subscription's; only the provider can tell them apart.
  await script.withoutRules("oauth");
  await collect(chooseModel({ ...variables, ANTHROPIC_BASE_URL }), ask(script.prompt("Hi")));
  const [request] = await script.requests();
  return { apiKey: request?.headers["x-api-key"], authorization: request?.headers.authorization };
};

describe("the credential", () => {
  it.each<[string, ModelVariables, { apiKey?: string; authorization?: string }]>([
    ["is the API key first", { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" }, { apiKey: "k" }],
    ["is the auth token next", { ANTHROPIC_AUTH_TOKEN: "t" }, { authorization: "Bearer t" }],
    [
      "is no subscription's token in the API key's variable",
      { ANTHROPIC_API_KEY: "sk-ant-oat01-o", ANTHROPIC_AUTH_TOKEN: "t" },
      { authorization: "Bearer t" },
    ],
    [
      "is a short-lived token of the provider's own federation",
      { ANTHROPIC_AUTH_TOKEN: "sk-ant-oat01-f" },
      { authorization: "Bearer sk-ant-oat01-f" },
    ],
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

describe("a run's own model", () => {
  const run = { model: "claude-opus-5-5", modelFacts: { ...committedFacts("claude-opus-5-5"), contextTokens: 7 } };

  it("is asked instead of the environment's, with what was known of it when the run was started", () => {
    const { name, facts } = chooseModel({ ANTHROPIC_API_KEY: "k", AGENT_MODEL: "claude-opus-5" }, run);
    expect({ name, contextTokens: facts.contextTokens }).toEqual({ name: "claude-opus-5-5", contextTokens: 7 });
  });

  it("has the committed figures where nothing was known", () => {
    const { facts } = chooseModel({ ANTHROPIC_API_KEY: "k" }, { model: "claude-haiku-4-5" });
    expect(facts).toEqual(committedFacts("claude-haiku-4-5"));
  });

  it("is the demo model without a credential, and never with one", () => {
    expect(chooseModel({ DEMO_MODEL: "true" }, run).name).toBe("demo");
    expect(chooseModel({ ANTHROPIC_API_KEY: "k", DEMO_MODEL: "true" }, { model: "demo" }).name).toBe(
      "claude-sonnet-5-5",
    );
  });
});

const SUBSCRIPTION: ModelVariables & Record<string, string> = { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-o" };

describe("no credential", () => {
  it.each<[string, ModelVariables, string]>([
    ["nothing set", {}, "No model credential is set. Set ANTHROPIC_API_KEY to a key from the provider's console."],
    [
      "a subscription's token alone",
      SUBSCRIPTION,
      "No model credential is set. Set ANTHROPIC_API_KEY to a key from the provider's console.",
    ],
    [
      "a subscription's token as the key",
      { ANTHROPIC_API_KEY: " sk-ant-oat01-o " },
      "ANTHROPIC_API_KEY holds a subscription's token, which the model's API refuses. Set it to a key from the provider's console.",
    ],
  ])("is %s, and fails with model_auth when the model is asked, not before", async (_name, variables, message) => {
    const model = chooseModel(variables);
    await expect(collect(model, ask("Hi"))).rejects.toMatchObject({ code: "model_auth", isRetryable: false, message });
  });

  it.each<[string, ModelVariables]>([
    ["nothing set", {}],
    ["a subscription's token alone", SUBSCRIPTION],
    ["a subscription's token as the key", { ANTHROPIC_API_KEY: "sk-ant-oat01-o" }],
  ])("gets the demo model in development: %s", (_name, variables) => {
    expect(chooseModel({ ...variables, DEMO_MODEL: "true" }).name).toBe("demo");
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
  ])("is never %s, and the log says so", (url) => {
    const lines: string[] = [];
    expect(modelBaseUrl(url, (line) => lines.push(line))).toBe("https://api.anthropic.com");
    expect(lines).toEqual(["ANTHROPIC_BASE_URL is ignored: it is not a loopback address."]);
  });

  it.each([undefined, "", " "])("is the provider's own for %j", (url) => {
    expect(modelBaseUrl(url, () => expect.unreachable())).toBe("https://api.anthropic.com");
  });
});
