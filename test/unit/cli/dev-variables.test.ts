import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseDevOptions } from "../../../src/cli/dev/dev-options.ts";
import { readDevVariables } from "../../../src/cli/dev/dev-variables.ts";

const cwd = import.meta.dirname;

type Given = { args?: string[]; environment?: Readonly<Record<string, string>>; devVars?: string; config?: string };

const read = (given: Given = {}) =>
  readDevVariables(parseDevOptions(given.args ?? [], cwd), {
    environment: given.environment ?? {},
    devVarsText: given.devVars ?? "",
    configText: given.config ?? "",
    cwd,
  });

it("signs the developer in, lets the demo model answer and works in the working directory", () => {
  expect(read()).toEqual({
    values: {
      AGENT_HARNESS: "anthropic",
      AUTH_DISABLED: "true",
      DEMO_MODEL: "true",
      APP_ORIGIN: "http://localhost:8787",
      LOOPBACK_PUSH: "true",
      PRINT_NOTICES: "true",
      RATE_LIMITS_DISABLED: "true",
      AGENT_WORKSPACE_DIR: cwd,
      OWN_SOURCE_DIR: ".",
    },
    workspaceDir: cwd,
    credential: undefined,
    refusedToken: undefined,
    sdk: undefined,
  });
});

it("passes on the model's variables of the environment and nothing else of it", () => {
  const environment = { ANTHROPIC_API_KEY: "key", AGENT_MODEL: "claude-opus-5", HOME: "/home/somebody" };
  const { values, credential } = read({ environment });
  expect(values).toMatchObject({ ANTHROPIC_API_KEY: "key", AGENT_MODEL: "claude-opus-5" });
  expect(values).not.toHaveProperty("HOME");
  expect(credential).toBe("ANTHROPIC_API_KEY");
});

it("passes on what may be chosen and spent", () => {
  const environment = { AGENT_MODELS: "claude-opus-5-5", AGENT_RUN_BUDGET_USD: "0.50" };
  expect(read({ environment }).values).toMatchObject(environment);
});

it.each(["$5", "0", "five"])("refuses to start with a budget of %s", (budget) => {
  const refusal = "AGENT_RUN_BUDGET_USD is not an amount. Write one like 0.50, or leave it out.";
  expect(() => read({ environment: { AGENT_RUN_BUDGET_USD: budget } })).toThrow(refusal);
  expect(() => read({ devVars: `AGENT_RUN_BUDGET_USD=${budget}` })).toThrow(refusal);
});

it("refuses to start with a harness that nobody knows", () => {
  const refusal = "AGENT_HARNESS: use anthropic or agent-sdk.";
  expect(() => read({ environment: { AGENT_HARNESS: "antropic" } })).toThrow(refusal);
  expect(() => read({ devVars: "AGENT_HARNESS=antropic" })).toThrow(refusal);
});

it.each([",", " , ", "*"])("refuses to start with a list of who may sign in that names nobody: %j", (list) => {
  const refusal = "ALLOWED_EMAILS names nobody, so nobody can sign in.";
  expect(() => read({ environment: { ALLOWED_EMAILS: list } })).toThrow(refusal);
  expect(() => read({ devVars: `ALLOWED_EMAILS="${list}"` })).toThrow(refusal);
});

it("refuses to start with a switch that is neither on nor off", () => {
  const refusal = "OFFLINE is neither on nor off. Write true or false.";
  expect(() => read({ environment: { OFFLINE: "please" } })).toThrow(refusal);
  expect(() => read({ devVars: "OFFLINE=please" })).toThrow(refusal);
  expect(read({ environment: { OFFLINE: "yes" } }).values).toMatchObject({ OFFLINE: "yes" });
});

it("an empty list of the environment takes away that of .dev.vars", () => {
  const { values } = read({ devVars: "ALLOWED_EMAILS=ann@example.com", environment: { ALLOWED_EMAILS: "" } });
  expect(values).not.toHaveProperty("ALLOWED_EMAILS");
});

it("takes every variable of .dev.vars, and the environment's own value first", () => {
  const devVars = 'ANTHROPIC_API_KEY="from file"\nANYTHING=else # a comment\n';
  expect(read({ devVars }).values).toMatchObject({ ANTHROPIC_API_KEY: "from file", ANYTHING: "else" });
  expect(read({ devVars, environment: { ANTHROPIC_API_KEY: "from shell" } }).values).toMatchObject({
    ANTHROPIC_API_KEY: "from shell",
  });
});

it("knows the first variable of a .dev.vars that begins with a byte order mark", () => {
  const { values, credential } = read({ devVars: "\ufeffANTHROPIC_API_KEY=k" });
  expect([values.ANTHROPIC_API_KEY, credential]).toEqual(["k", "ANTHROPIC_API_KEY"]);
});

describe("what wrangler.toml has under [vars]", () => {
  it("is taken where nothing else says it, of whatever type", () => {
    const lines = ['AGENT_MODEL = "claude-opus-5-5"', 'AGENT_MODELS = ["a", "b"]', "AGENT_RUN_BUDGET_USD = 0.5"];
    const config = ["[vars]", ...lines, "TABLE = { a = 1 }", ""].join("\n");
    const { values } = read({ config, devVars: "AGENT_RUN_BUDGET_USD=0.75" });
    expect(values).not.toHaveProperty("TABLE");
    expect(values).toMatchObject({
      AGENT_MODEL: "claude-opus-5-5",
      AGENT_MODELS: "a,b",
      AGENT_RUN_BUDGET_USD: "0.75",
    });
  });

  it("is taken away by a variable that is set to nothing, which reaches the Worker", () => {
    const config = '[vars]\nAGENT_PAUSED = "true"\n';
    expect(read({ config, environment: { AGENT_PAUSED: "" } }).values).toMatchObject({ AGENT_PAUSED: "" });
    expect(read({ config, devVars: "AGENT_PAUSED=" }).values).toMatchObject({ AGENT_PAUSED: "" });
  });

  it("is not taken for what depends on the machine: the deployed Worker's harness, and the name of its directory", () => {
    const config = '[vars]\nAGENT_HARNESS = "agent-sdk"\nAGENT_WORKSPACE_DIR = "my project"\n';
    expect(read({ config }).values).toMatchObject({ AGENT_HARNESS: "anthropic", AGENT_WORKSPACE_DIR: cwd });
  });

  it("is taken away where it would send the deployed Worker, or its owner alone, to a directory elsewhere", () => {
    const elsewhere = {
      WORKSPACE_URL: "https://files.example.com",
      WORKSPACE_TOKEN: "t",
      WORKSPACE_OWNER: "a@b.example",
    };
    const lines = Object.entries(elsewhere).map(([name, value]) => `${name} = "${value}"`);
    const config = ["[vars]", ...lines, ""].join("\n");
    expect(read({ config }).values).toMatchObject({ WORKSPACE_URL: "", WORKSPACE_TOKEN: "", WORKSPACE_OWNER: "" });
    expect(read({ config, devVars: "WORKSPACE_OWNER=me@b.example" }).values.WORKSPACE_OWNER).toBe("me@b.example");
  });

  it("is checked as the others are", () => {
    expect(() => read({ config: '[vars]\nAGENT_PAUSED = "please"\n' })).toThrow("AGENT_PAUSED is neither on nor off.");
    const config = '[vars]\nALLOWED_EMAILS = "ann@example.com"\n';
    expect(() => read({ config, environment: { ALLOWED_EMAILS: "" } })).toThrow("ALLOWED_EMAILS names nobody");
  });

  it("stops the start when it cannot be read", () => {
    expect(() => read({ config: "[vars\n" })).toThrow(/^wrangler\.toml: /);
  });
});

it("counts a variable that is set to nothing as not there", () => {
  const { values, credential } = read({ devVars: "ANTHROPIC_API_KEY=key", environment: { ANTHROPIC_API_KEY: "" } });
  expect(values).not.toHaveProperty("ANTHROPIC_API_KEY");
  expect(credential).toBeUndefined();
});

it.each([
  { environment: { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-o" } },
  { devVars: "CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-o" },
])("keeps a subscription's token from the Worker, whose model's API refuses it: %j", (given) => {
  const { values, credential, refusedToken } = read(given);
  expect(values).not.toHaveProperty("CLAUDE_CODE_OAUTH_TOKEN");
  expect(credential).toBeUndefined();
  expect(refusedToken).toBe("CLAUDE_CODE_OAUTH_TOKEN");
});

it("says nothing about a subscription's token next to a key", () => {
  const { credential, refusedToken } = read({ environment: { CLAUDE_CODE_OAUTH_TOKEN: "o", ANTHROPIC_API_KEY: "k" } });
  expect(credential).toBe("ANTHROPIC_API_KEY");
  expect(refusedToken).toBeUndefined();
});

it("does not take a subscription's token for a key", () => {
  const environment = { ANTHROPIC_API_KEY: "sk-ant-oat01-o" };
  expect(read({ environment })).toMatchObject({ credential: undefined, refusedToken: "ANTHROPIC_API_KEY" });
  expect(read({ environment: { ...environment, ANTHROPIC_AUTH_TOKEN: "t" } })).toMatchObject({
    credential: "ANTHROPIC_AUTH_TOKEN",
    refusedToken: "ANTHROPIC_API_KEY",
  });
});

it("lets --auth and --rate-limits win over .dev.vars", () => {
  const { values } = read({ args: ["--auth", "--rate-limits"], devVars: "AUTH_DISABLED=true" });
  expect(values).toMatchObject({ AUTH_DISABLED: "false", RATE_LIMITS_DISABLED: "false", PRINT_SIGN_IN_CODES: "true" });
});

it("prints sign-in codes with --auth alone", () => {
  expect(read({ devVars: "PRINT_SIGN_IN_CODES=true" }).values).not.toHaveProperty("PRINT_SIGN_IN_CODES");
});

it("counts a relative AGENT_WORKSPACE_DIR from the working directory", () => {
  expect(read({ environment: { AGENT_WORKSPACE_DIR: ".." } }).workspaceDir).toBe(`${cwd.slice(0, -"/cli".length)}`);
});

it("names the directory itself, not a link that may lead to another one at the next start", async () => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "tally-linked-")));
  onTestFinished(() => rm(dir, { recursive: true }));
  await mkdir(join(dir, "one"));
  await symlink("one", join(dir, "current"));
  const { workspaceDir, values } = read({ environment: { AGENT_WORKSPACE_DIR: join(dir, "current") } });
  expect([workspaceDir, values.AGENT_WORKSPACE_DIR]).toEqual([join(dir, "one"), join(dir, "one")]);
});

describe("where the app's own source is in the workspace", () => {
  const project = join(cwd, "../../..");
  const place = (AGENT_WORKSPACE_DIR: string, args: string[] = []) =>
    read({ args, environment: { AGENT_WORKSPACE_DIR }, devVars: "OWN_SOURCE_DIR=wrong" }).values.OWN_SOURCE_DIR;

  it.each([
    ["is all of it in the checkout", project, "."],
    ["is all of it below the checkout", join(project, "src/ui"), "."],
    ["is the checkout's directory further up", join(project, ".."), basename(project)],
    ["is the way to the checkout at the top", "/", project.slice(1)],
    ["is nowhere elsewhere", tmpdir(), undefined],
  ])("%s", (_, dir, expected) => {
    expect(place(dir)).toBe(expected);
  });

  it("is seen through links", async () => {
    const dir = await mkdtemp(join(tmpdir(), "tally-own-"));
    onTestFinished(() => rm(dir, { recursive: true }));
    await symlink(project, join(dir, "linked"));
    expect(place(join(dir, "linked/src"))).toBe(".");
  });

  it("does not matter to the durable workspace", () => {
    expect(place(project, ["--no-host-workspace"])).toBeUndefined();
  });
});

it.each(["no-such-directory", "dev-variables.test.ts"])("refuses AGENT_WORKSPACE_DIR=%s", (AGENT_WORKSPACE_DIR) => {
  expect(() => read({ environment: { AGENT_WORKSPACE_DIR } })).toThrow(
    `AGENT_WORKSPACE_DIR: ${cwd}/${AGENT_WORKSPACE_DIR} is not a directory. Create it, or name another.`,
  );
});
