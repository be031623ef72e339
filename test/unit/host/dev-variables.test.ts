import { expect, it } from "vitest";
import { parseDevOptions } from "../../../src/host/dev-options.ts";
import { readDevVariables } from "../../../src/host/dev-variables.ts";

const cwd = import.meta.dirname;

const read = (given: { args?: string[]; environment?: Readonly<Record<string, string>>; devVars?: string } = {}) =>
  readDevVariables(parseDevOptions(given.args ?? [], cwd), {
    environment: given.environment ?? {},
    devVarsText: given.devVars ?? "",
    cwd,
  });

it("signs the developer in, lets the demo model answer and works in the working directory", () => {
  expect(read()).toEqual({
    values: {
      AUTH_DISABLED: "true",
      DEMO_MODEL: "true",
      RATE_LIMITS_DISABLED: "true",
      AGENT_WORKSPACE_DIR: cwd,
    },
    workspaceDir: cwd,
    credential: undefined,
  });
});

it("passes on the model's variables of the environment and nothing else of it", () => {
  const environment = { ANTHROPIC_API_KEY: "key", AGENT_MODEL: "claude-opus-5", HOME: "/home/somebody" };
  const { values, credential } = read({ environment });
  expect(values).toMatchObject({ ANTHROPIC_API_KEY: "key", AGENT_MODEL: "claude-opus-5" });
  expect(values).not.toHaveProperty("HOME");
  expect(credential).toBe("ANTHROPIC_API_KEY");
});

it("takes every variable of .dev.vars, and the environment's own value first", () => {
  const devVars = 'ANTHROPIC_API_KEY="from file"\nANYTHING=else # a comment\n';
  expect(read({ devVars }).values).toMatchObject({ ANTHROPIC_API_KEY: "from file", ANYTHING: "else" });
  expect(read({ devVars, environment: { ANTHROPIC_API_KEY: "from shell" } }).values).toMatchObject({
    ANTHROPIC_API_KEY: "from shell",
  });
});

it("counts a variable that is set to nothing as not there", () => {
  const { values, credential } = read({ devVars: "ANTHROPIC_API_KEY=key", environment: { ANTHROPIC_API_KEY: "" } });
  expect(values).not.toHaveProperty("ANTHROPIC_API_KEY");
  expect(credential).toBeUndefined();
});

it("lets --auth and --rate-limits win over .dev.vars", () => {
  const { values } = read({ args: ["--auth", "--rate-limits"], devVars: "AUTH_DISABLED=true" });
  expect(values).toMatchObject({ AUTH_DISABLED: "false", RATE_LIMITS_DISABLED: "false", PRINT_SIGN_IN_CODES: "true" });
});

it("prints sign-in codes with --auth alone", () => {
  expect(read({ devVars: "PRINT_SIGN_IN_CODES=true" }).values).not.toHaveProperty("PRINT_SIGN_IN_CODES");
});

it("counts a relative AGENT_WORKSPACE_DIR from the working directory (spec 1.8)", () => {
  expect(read({ environment: { AGENT_WORKSPACE_DIR: ".." } }).workspaceDir).toBe(`${cwd.slice(0, -"/host".length)}`);
});

it.each(["no-such-directory", "dev-variables.test.ts"])("refuses AGENT_WORKSPACE_DIR=%s", (AGENT_WORKSPACE_DIR) => {
  expect(() => read({ environment: { AGENT_WORKSPACE_DIR } })).toThrow(
    `AGENT_WORKSPACE_DIR: ${cwd}/${AGENT_WORKSPACE_DIR} is not a directory. Create it, or name another.`,
  );
});
