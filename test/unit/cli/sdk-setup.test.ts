import { mkdtempSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parseDevOptions } from "../../../src/cli/dev/dev-options.ts";
import { readDevVariables } from "../../../src/cli/dev/dev-variables.ts";
import { findSdkSetup, sdkLine } from "../../../src/cli/sdk-setup.ts";
import { installScriptedSdk } from "../../support/agent-sdk/install-scripted-sdk.ts";

let sdkDir: string;
let without: string;
beforeAll(() => {
  sdkDir = mkdtempSync(join(tmpdir(), "tally-sdk-"));
  without = mkdtempSync(join(tmpdir(), "tally-no-sdk-"));
  installScriptedSdk(sdkDir);
});

it("does not start without the SDK, and says in one line how to install it and how large it is", () => {
  expect(() => findSdkSetup({ AGENT_SDK_DIR: without }, without)).toThrow(
    "--harness agent-sdk needs the vendor's agent SDK, which is not installed. Install it (about 430 MB) with `npm install --no-save @anthropic-ai/claude-agent-sdk`, or name a directory whose node_modules has it as AGENT_SDK_DIR.",
  );
});

it.each([
  [
    { CLAUDE_CODE_OAUTH_TOKEN: "token", ANTHROPIC_API_KEY: "key" },
    { type: "oauth_token", secret: "token" },
  ],
  [{ ANTHROPIC_API_KEY: "key" }, { type: "api_key", secret: "key" }],
  [{ CLAUDE_CONFIG_DIR: "/own" }, { type: "login", dir: "/own" }],
  [{}, { type: "login", dir: join(homedir(), ".claude") }],
])("chooses who pays: %j", (given, credential) => {
  expect(findSdkSetup({ ...given, AGENT_SDK_DIR: sdkDir }, without).credential).toEqual(credential);
});

it.each([
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
  ["https://elsewhere.example", undefined],
])("takes a base URL on loopback alone: %s", (given, baseUrl) => {
  expect(findSdkSetup({ ANTHROPIC_BASE_URL: given, AGENT_SDK_DIR: sdkDir }, without).baseUrl).toBe(baseUrl);
});

it("gives a subscription's token to the SDK and never to the Worker", () => {
  const environment = { AGENT_HARNESS: "agent-sdk", AGENT_SDK_DIR: sdkDir, CLAUDE_CODE_OAUTH_TOKEN: "token" };
  const { values, sdk, refusedToken } = readDevVariables(parseDevOptions([], without), {
    environment,
    devVarsText: "",
    cwd: without,
  });
  expect(JSON.stringify(values)).not.toContain('"token"');
  expect(values.AGENT_HARNESS).toBe("agent-sdk");
  expect(refusedToken).toBeUndefined();
  expect(sdk && sdkLine(sdk)).toBe("Harness: the agent SDK 0.0.1, with CLAUDE_CODE_OAUTH_TOKEN.");
});

it.each([
  ["the environment", { environment: { CLAUDE_CONFIG_DIR: "/own" }, devVarsText: "" }],
  [".dev.vars", { environment: {}, devVarsText: "CLAUDE_CONFIG_DIR=/own" }],
])("works on the login in the directory that %s names, of which the Worker hears nothing", (_, sources) => {
  const args = ["--harness", "agent-sdk"];
  const environment = { ...sources.environment, AGENT_SDK_DIR: sdkDir };
  const { values, sdk } = readDevVariables(parseDevOptions(args, without), { ...sources, environment, cwd: without });
  expect(sdk?.credential).toEqual({ type: "login", dir: "/own" });
  expect(values).not.toHaveProperty("CLAUDE_CONFIG_DIR");
});
