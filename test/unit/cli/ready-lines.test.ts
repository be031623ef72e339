/** What the dev command prints of the model, for each credential there can be. */
import { expect, it } from "vitest";
import { parseDevOptions } from "../../../src/cli/dev/dev-options.ts";
import { readDevVariables } from "../../../src/cli/dev/dev-variables.ts";
import { readyLines } from "../../../src/cli/dev/readiness.ts";

const cwd = import.meta.dirname;

const modelLines = (environment: Readonly<Record<string, string>>, configText = ""): string[] => {
  const options = parseDevOptions([], cwd);
  const lines = readyLines(options, readDevVariables(options, { environment, devVarsText: "", configText, cwd }));
  return lines.split("\n").slice(1, -3);
};

it.each<[string, Readonly<Record<string, string>>, string[]]>([
  ["none", {}, ["Model: the built-in demo model. Set ANTHROPIC_API_KEY for a real one."]],
  ["a key", { ANTHROPIC_API_KEY: "sk-ant-api03-k" }, ["Model: claude-sonnet-5-5, with ANTHROPIC_API_KEY."]],
  [
    "a subscription's token",
    { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-o" },
    [
      "CLAUDE_CODE_OAUTH_TOKEN is not used: the model's API refuses a subscription's token. Set ANTHROPIC_API_KEY to a key from the provider's console.",
      "Model: the built-in demo model. Set ANTHROPIC_API_KEY for a real one.",
    ],
  ],
  [
    "a subscription's token as the key",
    { ANTHROPIC_API_KEY: "sk-ant-oat01-o", ANTHROPIC_AUTH_TOKEN: "t" },
    [
      "ANTHROPIC_API_KEY is not used: the model's API refuses a subscription's token. Set ANTHROPIC_API_KEY to a key from the provider's console.",
      "Model: claude-sonnet-5-5, with ANTHROPIC_AUTH_TOKEN.",
    ],
  ],
])("says which model answers with %s", (_name, environment, expected) => {
  expect(modelLines(environment)).toEqual(expected);
});

it("names the model of wrangler.toml, which answers where nothing else names one", () => {
  const config = '[vars]\nAGENT_MODEL = "claude-opus-5-5"\n';
  expect(modelLines({ ANTHROPIC_API_KEY: "k" }, config)).toEqual(["Model: claude-opus-5-5, with ANTHROPIC_API_KEY."]);
  expect(modelLines({ ANTHROPIC_API_KEY: "k", AGENT_MODEL: "" }, config)).toEqual([
    "Model: claude-sonnet-5-5, with ANTHROPIC_API_KEY.",
  ]);
});
