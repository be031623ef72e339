/** What a deploy is refused for, and the command that each refusal names. */
import { expect, it } from "vitest";
import { configProblems, secretProblems } from "../../../src/host/deploy-problems.ts";

const DATABASE = { binding: "DB", database_id: "5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22" };

it("is refused nothing when everything is there", () => {
  expect(configProblems({ vars: { COMPATIBILITY_DATE: "2026-10-06" }, d1_databases: [DATABASE] })).toEqual([]);
  expect(secretProblems(["BETTER_AUTH_SECRET", "ANTHROPIC_API_KEY"])).toEqual([]);
});

it.each(["AUTH_DISABLED", "DEMO_MODEL", "RATE_LIMITS_DISABLED"])(
  "is refused while %s is among the variables",
  (name) => {
    expect(configProblems({ vars: { [name]: "false" }, d1_databases: [DATABASE] })).toEqual([
      `${name} is among the variables and is for development alone. Take it out of wrangler.toml.`,
    ]);
  },
);

it.each(["AUTH_DISABLED", "DEMO_MODEL", "RATE_LIMITS_DISABLED"])("is refused while %s is among the secrets", (name) => {
  expect(secretProblems(["BETTER_AUTH_SECRET", "ANTHROPIC_API_KEY", name])).toEqual([
    `${name} is among the secrets and is for development alone. Run \`npx wrangler secret delete ${name}\`.`,
  ]);
});

it.each([undefined, "", "00000000-0000-0000-0000-000000000000", "<database id>"])(
  "is refused while the database's id is %o",
  (id) => {
    const database = { binding: "DB", ...(id === undefined ? {} : { database_id: id }) };
    expect(configProblems({ vars: {}, d1_databases: [database] })).toEqual([
      "DB has no database. Run `npx wrangler d1 create tally` and put the id it prints into wrangler.toml.",
    ]);
  },
);

it("names every secret that is missing, with its command", () => {
  expect(secretProblems([])).toEqual([
    "BETTER_AUTH_SECRET is not set. Run `openssl rand -base64 32 | npx wrangler secret put BETTER_AUTH_SECRET`.",
    "The model has no credential. Run `npx wrangler secret put ANTHROPIC_API_KEY`.",
  ]);
});

it.each(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"])("takes %s for the model", (name) => {
  expect(secretProblems(["BETTER_AUTH_SECRET", name])).toEqual([]);
});
