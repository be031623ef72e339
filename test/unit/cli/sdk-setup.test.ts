import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parseDevOptions } from "../../../src/cli/dev/dev-options.ts";
import { readDevVariables } from "../../../src/cli/dev/dev-variables.ts";
import { findSdkSetup, sdkLine } from "../../../src/cli/sdk-setup.ts";
import { LEAST_SDK_VERSION } from "../../../src/harness-host/find-sdk.ts";
import { PROJECT_DIR } from "../../../src/process/project.ts";
import { installScriptedSdk, SCRIPTED_VERSION } from "../../support/agent-sdk/install-scripted-sdk.ts";

/** The directory of a login, which also macOS has in a file. */
const own = mkdtempSync(join(tmpdir(), "tally-own-login-"));
writeFileSync(join(own, ".credentials.json"), "{}");

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

it.each(["0.3.329", "0.2.999", "0.3.330-beta.1", "0.0.1", "next"])(
  "does not start with %s of the SDK, and says in one line how to install a later one",
  (version) => {
    const dir = mkdtempSync(join(tmpdir(), "tally-old-sdk-"));
    installScriptedSdk(dir, version);
    expect(() => findSdkSetup({ AGENT_SDK_DIR: dir }, without)).toThrow(
      `--harness agent-sdk needs the vendor's agent SDK ${LEAST_SDK_VERSION} or later, and ${dir} has ${version}. Install it with \`npm install --no-save --prefix "${dir}" @anthropic-ai/claude-agent-sdk@latest\`.`,
    );
  },
);

it.each(["0.3.330", "0.3.1000", "0.4.0", "1.0.0-rc.1"])("starts with %s of the SDK", (version) => {
  const dir = mkdtempSync(join(tmpdir(), "tally-later-sdk-"));
  installScriptedSdk(dir, version);
  expect(findSdkSetup({ AGENT_SDK_DIR: dir }, without, "linux").sdk.version).toBe(version);
});

it("takes no earlier SDK than the one that is tested", () => {
  const { dependencies } = JSON.parse(readFileSync(join(PROJECT_DIR, "test/agent-sdk/package.json"), "utf8"));
  expect(Object.values(dependencies)).toEqual([LEAST_SDK_VERSION]);
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
  expect(findSdkSetup({ ...given, AGENT_SDK_DIR: sdkDir }, without, "linux").credential).toEqual(credential);
});

it("takes a relative directory of the login from where it was started, as the agent works elsewhere", () => {
  const given = { CLAUDE_CONFIG_DIR: "own", AGENT_SDK_DIR: sdkDir };
  const { credential } = findSdkSetup(given, without, "linux");
  expect(credential).toEqual({ type: "login", dir: join(process.cwd(), "own") });
});

it("does not start on macOS with a login that is in the keychain, and says what to set", () => {
  expect(() => findSdkSetup({ CLAUDE_CONFIG_DIR: without, AGENT_SDK_DIR: sdkDir }, without, "darwin")).toThrow(
    "in the keychain, where it cannot be read. Set CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token` makes one)",
  );
});

it.each([
  ["login", { CLAUDE_CONFIG_DIR: own }],
  ["oauth_token", { CLAUDE_CODE_OAUTH_TOKEN: "token" }],
  ["api_key", { ANTHROPIC_API_KEY: "key" }],
])("starts on macOS with a login in a file, a token or a key: %s", (type, given) => {
  const { credential } = findSdkSetup({ ...given, AGENT_SDK_DIR: sdkDir }, without, "darwin");
  expect(credential.type).toBe(type);
});

it.each([
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
  ["https://elsewhere.example", undefined],
])("takes a base URL on loopback alone: %s", (given, baseUrl) => {
  expect(findSdkSetup({ ANTHROPIC_BASE_URL: given, AGENT_SDK_DIR: sdkDir }, without, "linux").baseUrl).toBe(baseUrl);
});

it("takes over how the vendor's client finds its network, with whole paths", () => {
  const given = { HTTPS_PROXY: "http://proxy.example:8080", no_proxy: "localhost", NODE_EXTRA_CA_CERTS: "ca.pem" };
  const all = { ...given, SSL_CERT_FILE: "/etc/company.pem", HTTP_PROXY: "", SSH_AUTH_SOCK: "/run/agent" };
  expect(findSdkSetup({ ...all, AGENT_SDK_DIR: sdkDir }, without, "linux").network).toEqual({
    ...given,
    ...{ NODE_EXTRA_CA_CERTS: join(process.cwd(), "ca.pem"), SSL_CERT_FILE: "/etc/company.pem" },
  });
});

it("takes over no proxy where the model's address is on this machine", () => {
  const given = { HTTPS_PROXY: "http://me:secret-word@proxy.example:8080", SSL_CERT_FILE: "/etc/company.pem" };
  const all = { ...given, ANTHROPIC_BASE_URL: "https://localhost:4000", AGENT_SDK_DIR: sdkDir };
  expect(findSdkSetup(all, without, "linux").network).toEqual({ SSL_CERT_FILE: "/etc/company.pem" });
});

it.each([
  ["HTTPS_PROXY", "http://me:secret-word@proxy.example:8080"],
  ["http_proxy", "me:secret-word@proxy.example:8080"],
])("does not start with a proxy's login, which commands could read: %s", (name, address) => {
  const start = () => findSdkSetup({ [name]: address, AGENT_SDK_DIR: sdkDir }, without, "linux");
  expect(start).toThrow(
    `--harness agent-sdk: ${name} holds a login, which the agent's commands could read. Name a proxy that needs none, such as one on this machine that adds it, or start without the variable.`,
  );
});

it.each([
  ["the environment", { environment: { HTTPS_PROXY: "http://proxy.example:8080" }, devVarsText: "" }],
  [".dev.vars", { environment: {}, devVarsText: "HTTPS_PROXY=http://proxy.example:8080" }],
])("works behind the proxy that %s names, of which the Worker hears nothing", (_, sources) => {
  const environment = { ...sources.environment, AGENT_SDK_DIR: sdkDir, ANTHROPIC_API_KEY: "key" };
  const options = parseDevOptions(["--harness", "agent-sdk"], without);
  const { values, sdk } = readDevVariables(options, { ...sources, environment, cwd: without });
  expect(sdk?.network).toEqual({ HTTPS_PROXY: "http://proxy.example:8080" });
  expect(values).not.toHaveProperty("HTTPS_PROXY");
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
  expect(sdk && sdkLine(sdk)).toBe(`Harness: the agent SDK ${SCRIPTED_VERSION}, with CLAUDE_CODE_OAUTH_TOKEN.`);
});

it.each([
  ["http://127.0.0.1:4000", undefined],
  ["https://elsewhere.example", "https://elsewhere.example"],
])("gives an API key to the SDK alone, with the address where that is %s", (address, told) => {
  const given = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: address };
  const { values, sdk } = readDevVariables(parseDevOptions(["--harness", "agent-sdk"], without), {
    ...{ environment: { ...given, AGENT_SDK_DIR: sdkDir }, devVarsText: "ANTHROPIC_API_KEY=other", cwd: without },
  });
  expect(sdk?.credential).toEqual({ type: "api_key", secret: "key" });
  expect(values.ANTHROPIC_BASE_URL).toBe(told);
  expect(values).not.toHaveProperty("ANTHROPIC_API_KEY");
  // A turn that another start has left must not go on with a model that only plays one.
  expect(values).not.toHaveProperty("DEMO_MODEL");
});

it.each([
  ["the environment", { environment: { CLAUDE_CONFIG_DIR: own }, devVarsText: "" }],
  [".dev.vars", { environment: {}, devVarsText: `CLAUDE_CONFIG_DIR=${own}` }],
])("works on the login in the directory that %s names, of which the Worker hears nothing", (_, sources) => {
  const args = ["--harness", "agent-sdk"];
  const environment = { ...sources.environment, AGENT_SDK_DIR: sdkDir };
  const { values, sdk } = readDevVariables(parseDevOptions(args, without), { ...sources, environment, cwd: without });
  expect(sdk?.credential).toEqual({ type: "login", dir: own });
  expect(values).not.toHaveProperty("CLAUDE_CONFIG_DIR");
});
