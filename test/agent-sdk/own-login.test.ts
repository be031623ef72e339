/** A person who pays with the login of their own client: its credential is used, and nothing else that they keep beside it. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { loadSdk, type SpawnOptions } from "../../src/harness-host/agent/sdk-module.ts";
import { openHarness } from "../support/agent-sdk/harness-client.ts";
import { callTools, say } from "../support/model-script.ts";
import { MODEL, requireSdk } from "./play.ts";
import { type Provider, startProvider } from "./provider.ts";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const TOKEN = "own-login-token";

/** Far enough for the client not to renew it. */
const EXPIRES_AT = Date.now() + 365 * 24 * 60 * 60 * 1_000;

/** What starts when one of the planted files is loaded, and the words by which the others are known. */
const STARTS = ["started", "prompted", "called", "stopped", "served", "served-here", "shell"] as const;
const PLANTED = /MARIGOLD[ \w]*|mcp__planted|own-login-token/g;

/** A home as its person has it: a login, and settings that allow everything, hooks, servers, memory, agents, commands, skills. */
const plantHome = (dir: string) => {
  const home = mkdtempSync(join(tmpdir(), "tally-own-login-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const login = join(home, ".claude");
  const write = (path: string, text: string) => {
    mkdirSync(join(login, path, ".."), { recursive: true });
    writeFileSync(join(login, path), text, { mode: 0o600 });
  };
  const touch = (name: (typeof STARTS)[number]) => ({ type: "command", command: `touch ${join(home, name)}` });
  const hook = (name: (typeof STARTS)[number]) => [{ hooks: [touch(name)] }];
  const server = (name: (typeof STARTS)[number]) => ({ planted: { command: "touch", args: [join(home, name)] } });
  const oauth = { accessToken: TOKEN, refreshToken: "none", expiresAt: EXPIRES_AT, scopes: ["user:inference"] };
  write(".credentials.json", JSON.stringify({ claudeAiOauth: { ...oauth, subscriptionType: "max" } }));
  const settings = {
    permissions: { allow: ["Bash", "Edit", "Write"], defaultMode: "acceptEdits" },
    hooks: {
      SessionStart: hook("started"),
      UserPromptSubmit: hook("prompted"),
      PreToolUse: hook("called"),
      Stop: hook("stopped"),
    },
    env: { MARIGOLD_VARIABLE: "MARIGOLD" },
    outputStyle: "planted",
  };
  for (const name of ["settings.json", "settings.local.json"]) write(name, JSON.stringify(settings));
  // Servers for everything, and for this directory alone.
  const own = { mcpServers: server("served"), projects: { [dir]: { mcpServers: server("served-here") } } };
  for (const path of [".claude.json", "../.claude.json"]) write(path, JSON.stringify(own));
  for (const name of [".bashrc", ".bash_profile", ".profile"]) write(`../${name}`, `${touch("shell").command}\n`);
  write("CLAUDE.md", "MARIGOLD MEMORY");
  write("rules/planted.md", "MARIGOLD RULE");
  write("projects/planted/memory/MEMORY.md", "MARIGOLD NOTE");
  write("agents/planted.md", "---\nname: planted\ndescription: MARIGOLD AGENT\n---\nMARIGOLD");
  write("commands/planted.md", "MARIGOLD COMMAND");
  write("skills/planted/SKILL.md", "---\nname: planted\ndescription: MARIGOLD SKILL\n---\nMARIGOLD");
  write("output-styles/planted.md", "---\nname: planted\ndescription: x\n---\nMARIGOLD OUTPUT");
  return { home, login, ran: () => STARTS.filter((name) => existsSync(join(home, name))) };
};

const script = (key: string) =>
  provider.script(key, [callTools([{ name: "Bash", input: { command: "env > seen", description: "x" } }]), say("Ok.")]);

it("loads nothing but the credential of a login of one's own", async () => {
  const host = await openOwn();
  await script("own-login");
  const begin = { type: "new", prompt: "[script:own-login] go" };
  const turn = { turnId: "own", sessionId: crypto.randomUUID(), model: MODEL, tools: [], begin };
  const lines = await host.turn(turn, () => ({ type: "allow" }));
  expect(lines.at(-1)).toMatchObject({ type: "ended", end: "result" });
  expect(lines.filter(({ type }) => type === "permission")).toHaveLength(1);
  const requests = await provider.requests("own-login");
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  const told = requests.map(({ body }) => body);
  for (const text of [JSON.stringify(told), JSON.stringify(lines), readFileSync(join(host.dir, "seen"), "utf8")]) {
    expect(text.match(PLANTED)).toBeNull();
  }
  expect(host.ran()).toEqual([]);
});

const openOwn = async () => {
  const setup = { sdk: requireSdk(), baseUrl: provider.url };
  const parent = mkdtempSync(join(tmpdir(), "tally-own-parent-"));
  const planted = plantHome(join(parent, "root"));
  // The shell of whoever starts the host.
  vi.stubEnv("HOME", planted.home);
  vi.stubEnv("CLAUDE_CONFIG_DIR", planted.login);
  onTestFinished(() => void vi.unstubAllEnvs());
  const credential = { type: "login", dir: planted.login } as const;
  const host = await openHarness({ ...setup, credential }, { parent });
  onTestFinished(host.close);
  return { ...host, ran: planted.ran };
};

it("would have loaded what is planted there, had it been told to: the files are what the SDK reads", async () => {
  const { query } = await loadSdk(requireSdk().entry);
  const dir = mkdtempSync(join(tmpdir(), "tally-own-control-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const { home, login, ran } = plantHome(dir);
  await script("control");
  const options = {
    cwd: dir,
    env: {
      ...{ PATH: process.env.PATH ?? "", HOME: home, CLAUDE_CONFIG_DIR: login, ANTHROPIC_BASE_URL: provider.url },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
    },
    model: MODEL,
    settingSources: ["user"],
    hooks: {},
    mcpServers: {},
    canUseTool: async () => ({ behavior: "deny", message: "No." }),
    spawnClaudeCodeProcess: ({ command, args, cwd, env }: SpawnOptions) =>
      spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] }),
  };
  for await (const _ of query({ prompt: "[script:control] go", options })) {
    // Until its end.
  }
  const sent = JSON.stringify((await provider.requests("control")).map(({ body }) => body));
  expect(ran()).toEqual(expect.arrayContaining(["started", "prompted", "called", "stopped", "served", "shell"]));
  expect(sent).toContain("MARIGOLD MEMORY");
});
