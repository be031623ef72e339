/** What a deploy is refused for, and the command that each refusal names. */
import { expect, it } from "vitest";
import {
  configProblems,
  originProblems,
  registrationProblems,
  secretProblems,
} from "../../../src/cli/deploy-problems.ts";

const DATABASE = { binding: "DB", database_id: "5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22" };
const CONFIG = { vars: {}, d1_databases: [DATABASE], send_email: [{ name: "MAIL" }] };
const SECRETS = ["BETTER_AUTH_SECRET", "ANTHROPIC_API_KEY", "MAIL_FROM"];
const DEVELOPMENT_ONLY = [
  ...["AUTH_DISABLED", "DEMO_MODEL", "DEMO_PRICES_URL", "LOOPBACK_PUSH", "PRINT_NOTICES", "PRINT_SIGN_IN_CODES"],
  "RATE_LIMITS_DISABLED",
];

it("is refused nothing when everything is there", () => {
  expect(configProblems({ ...CONFIG, vars: { COMPATIBILITY_DATE: "2026-10-06" } })).toEqual([]);
  expect(secretProblems(SECRETS, {})).toEqual([]);
});

it.each(DEVELOPMENT_ONLY)("is refused while %s is among the variables", (name) => {
  expect(configProblems({ ...CONFIG, vars: { [name]: "false" } })).toEqual([
    `${name} is among the variables and is for development only. Remove it from wrangler.toml.`,
  ]);
});

it.each(DEVELOPMENT_ONLY)("is refused while %s is among the secrets", (name) => {
  expect(secretProblems([...SECRETS, name], {})).toEqual([
    `${name} is among the secrets and is for development only. Run \`npx wrangler secret delete ${name}\`.`,
  ]);
});

it.each([undefined, "", "00000000-0000-0000-0000-000000000000", "<database id>"])(
  "is refused while the database's id is %o",
  (id) => {
    const database = { binding: "DB", ...(id === undefined ? {} : { database_id: id }) };
    expect(configProblems({ ...CONFIG, d1_databases: [database] })).toEqual([
      "DB has no database. Run `npx wrangler d1 create tally` and put the id it prints into wrangler.toml, as database_id.",
    ]);
  },
);

it.each(["$5", "0", 0, "five"])("is refused while AGENT_RUN_BUDGET_USD is %o", (budget) => {
  expect(configProblems({ ...CONFIG, vars: { AGENT_RUN_BUDGET_USD: budget } })).toEqual([
    "AGENT_RUN_BUDGET_USD is not an amount. Write one like 0.50, or leave it out.",
  ]);
});

it.each(["0.50", 2, ""])("takes %o for a run's budget", (budget) => {
  expect(configProblems({ ...CONFIG, vars: { AGENT_RUN_BUDGET_USD: budget } })).toEqual([]);
});

it.each(["AGENT_RUN_BUDGET_USD", "AGENT_OWNER_DAY_BUDGET_USD", "AGENT_DAY_BUDGET_USD"])(
  "is refused while %s limits a model whose price is not known",
  (budget) => {
    const vars = { AGENT_MODEL: "claude-next-1", AGENT_MODELS: ["claude-opus-5-5", "claude-next-2"] };
    expect(configProblems({ ...CONFIG, vars })).toEqual([]);
    expect(configProblems({ ...CONFIG, vars: { ...vars, [budget]: "5.00" } })).toEqual(
      ["claude-next-1", "claude-next-2"].map(
        (model) =>
          `${budget} cannot limit ${model}, whose price is not known. Add the price to src/model/token-prices.ts, or take the model out of AGENT_MODEL and AGENT_MODELS in wrangler.toml.`,
      ),
    );
  },
);

it.each([
  ["AGENT_PAUSED", "paused", "AGENT_PAUSED is neither on nor off. Write true or false."],
  ["OFFLINE", 2, "OFFLINE is neither on nor off. Write true or false."],
  ["MAILS_PER_HOUR", "1,000", /^MAILS_PER_HOUR is not a number of mails/],
  ["MAILS_PER_HOUR", 0, /^MAILS_PER_HOUR is not a number of mails/],
  ["APP_ORIGIN", "tally.example.com", /^APP_ORIGIN is not an address/],
  ["APP_ORIGIN", "tally.example.com:443", /^APP_ORIGIN is not an address/],
  ["APP_ORIGIN", "http://tally.example.com", /^APP_ORIGIN is not an address/],
  ["VAPID_SUBJECT", "ann@example.org", /^VAPID_SUBJECT is not an address/],
  ["VAPID_SUBJECT", "mailto:<ann@example.org>", /^VAPID_SUBJECT is not an address/],
  ["VAPID_SUBJECT", "mailto:ann@localhost", /^VAPID_SUBJECT is not an address/],
  ["VAPID_SUBJECT", "mailto:ann@tally.local", /^VAPID_SUBJECT is not an address/],
  ["VAPID_SUBJECT", "https://tally.invalid/contact", /^VAPID_SUBJECT is not an address/],
])("is refused while %s is %o", (name, value, problem) => {
  expect(configProblems({ ...CONFIG, vars: { [name]: value } })).toEqual([
    typeof problem === "string" ? problem : expect.stringMatching(problem),
  ]);
});

it.each(["antropic", "agent_sdk", "Anthropic", true])("is refused while AGENT_HARNESS is %o", (name) => {
  expect(configProblems({ ...CONFIG, vars: { AGENT_HARNESS: name } })).toEqual([
    "AGENT_HARNESS: use anthropic or agent-sdk, in wrangler.toml.",
  ]);
});

it.each(["", "anthropic", " agent-sdk "])("takes %o for the harness", (name) => {
  expect(configProblems({ ...CONFIG, vars: { AGENT_HARNESS: name } })).toEqual([]);
});

it("takes switches as people write them, the app's address and a number of mails", () => {
  const vars = { AGENT_PAUSED: true, SCHEDULES_PAUSED: "Yes", OFFLINE: 0, AGENT_TITLES: "off", NOTICES_PAUSED: "" };
  const more = {
    APP_ORIGIN: "https://tally.example.com",
    MAILS_PER_HOUR: 500,
    VAPID_SUBJECT: "mailto:ann@example.org",
  };
  expect(configProblems({ ...CONFIG, vars: { ...vars, ...more } })).toEqual([]);
  expect(configProblems({ ...CONFIG, vars: { VAPID_SUBJECT: "https://example.org/contact" } })).toEqual([]);
});

it("takes a budget for the models that are allowed where none is named", () => {
  expect(configProblems({ ...CONFIG, vars: { AGENT_DAY_BUDGET_USD: "20.00" } })).toEqual([]);
});

it("names every secret that is missing, with its command", () => {
  expect(secretProblems([], {})).toEqual([
    "BETTER_AUTH_SECRET is not set. Run `openssl rand -base64 32 | npx wrangler secret put BETTER_AUTH_SECRET`.",
    "The model has no credential. Run `npx wrangler secret put ANTHROPIC_API_KEY`.",
    "MAIL_FROM is not set, so no code could be sent to anybody. Run `npx wrangler secret put MAIL_FROM` and give it an address of a domain of yours that Cloudflare sends mail for.",
  ]);
});

it.each(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])("takes %s for the model", (name) => {
  expect(secretProblems(["BETTER_AUTH_SECRET", "MAIL_FROM", name], {})).toEqual([]);
});

it("does not take a subscription's token for the model", () => {
  expect(secretProblems(["BETTER_AUTH_SECRET", "MAIL_FROM", "CLAUDE_CODE_OAUTH_TOKEN"], {})).toEqual([
    "The model has no credential: its API refuses CLAUDE_CODE_OAUTH_TOKEN. Run `npx wrangler secret put ANTHROPIC_API_KEY`.",
  ]);
  expect(secretProblems([...SECRETS, "CLAUDE_CODE_OAUTH_TOKEN"], {})).toEqual([]);
});

it("takes the sender of mails as a variable, too, when it is an address", () => {
  expect(secretProblems(["BETTER_AUTH_SECRET", "ANTHROPIC_API_KEY"], { MAIL_FROM: "tally@example.com" })).toEqual([]);
  expect(configProblems({ ...CONFIG, vars: { MAIL_FROM: "tally@example.com" } })).toEqual([]);
});

it.each(["", "tally", "Tally <tally@example.com>", "tally@localhost"])("is refused while MAIL_FROM is %o", (sender) => {
  expect(configProblems({ ...CONFIG, vars: { MAIL_FROM: sender } })).toEqual([
    "MAIL_FROM is not an address. Write one like tally@example.com in wrangler.toml.",
  ]);
});

it.each([
  ["a secret", ["MAIL_FROM"], {}],
  ["a variable", [], { MAIL_FROM: "tally@example.com" }],
])("is refused while mails are sent from %s and nothing says where the app is", (_, secrets, vars) => {
  expect(originProblems(secrets, vars)).toEqual([
    'APP_ORIGIN is not set, so no notice could be mailed: it would not name the app\'s address. Write that address, such as `APP_ORIGIN = "https://tally.example.com"`, under [vars] in wrangler.toml.',
  ]);
  expect(originProblems(secrets, { ...vars, APP_ORIGIN: "https://tally.example.com" })).toEqual([]);
  expect(originProblems([...secrets, "APP_ORIGIN"], vars)).toEqual([]);
  expect(originProblems([], {})).toEqual([]);
});

it("is refused without the binding that sends mails", () => {
  expect(configProblems({ ...CONFIG, send_email: [] })).toEqual([
    'No mail can be sent without the binding MAIL. Put `[[send_email]]` with `name = "MAIL"` back into wrangler.toml.',
  ]);
});

it("is refused while a real directory is set up in part", () => {
  expect(secretProblems([...SECRETS, "WORKSPACE_TOKEN"], { WORKSPACE_URL: "https://a.example" })).toEqual([
    "A real directory is set up except for WORKSPACE_OWNER. Run `npx wrangler secret put WORKSPACE_OWNER`.",
  ]);
  const whole = { WORKSPACE_URL: "https://a.example", WORKSPACE_OWNER: "ann@example.com" };
  expect(secretProblems([...SECRETS, "WORKSPACE_TOKEN"], whole)).toEqual([]);
});

it("is refused for no key of a model, but without a real directory, while the vendor's agent drives", () => {
  const vars = { AGENT_HARNESS: "agent-sdk", WORKSPACE_URL: "https://a.example" };
  const secrets = ["BETTER_AUTH_SECRET", "MAIL_FROM"];
  expect(secretProblems(secrets, vars)).toEqual(
    ["WORKSPACE_TOKEN", "WORKSPACE_OWNER"].map(
      (name) =>
        `The harness agent-sdk works in a real directory, and ${name} is not set. Run \`npx wrangler secret put ${name}\`.`,
    ),
  );
  expect(secretProblems([...secrets, "WORKSPACE_TOKEN", "WORKSPACE_OWNER"], vars)).toEqual([]);
  expect(secretProblems(secrets, { AGENT_HARNESS: "agent-sdk" })).toHaveLength(3);
  expect(secretProblems(secrets, { AGENT_HARNESS: "anthropic" })).toEqual([expect.stringMatching(/no credential/)]);
});

it("is refused while everybody could sign in and nobody has said that they may", () => {
  const problem = expect.stringMatching(
    /^ALLOWED_EMAILS is not set.*wrangler secret put ALLOWED_EMAILS.*OPEN_REGISTRATION = "true"/,
  );
  expect(registrationProblems([], {})).toEqual([problem]);
  expect(registrationProblems([], { OPEN_REGISTRATION: "false" })).toEqual([problem]);
});

it.each([
  ["empty", "", {}],
  ["commas", " , ", {}],
  ["blanks", " \n", {}],
  ["commas, and everybody may sign in", ",", { OPEN_REGISTRATION: "true" }],
] as const)("is refused while the list is %s", (_, list, vars) => {
  expect(registrationProblems([], { ALLOWED_EMAILS: list, ...vars })).toEqual([
    expect.stringMatching(/^ALLOWED_EMAILS names nobody, so nobody can sign in\. Write .*ann@example\.com/),
  ]);
});

it("takes a list of who may sign in as a variable or as a secret, or everybody on purpose", () => {
  expect(registrationProblems([], { ALLOWED_EMAILS: "ann@example.com @example.org" })).toEqual([]);
  expect(registrationProblems(["ALLOWED_EMAILS"], {})).toEqual([]);
  expect(registrationProblems([], { OPEN_REGISTRATION: "true" })).toEqual([]);
  expect(registrationProblems([], { OPEN_REGISTRATION: true })).toEqual([]);
});

it("is refused while the list has entries that allow nobody", () => {
  expect(registrationProblems([], { ALLOWED_EMAILS: "ann@example.com, example.org *" })).toEqual([
    "ALLOWED_EMAILS: example.org, * is neither an address nor a domain such as @example.com.",
  ]);
});

it.each(["AGENT_OWNER_DAY_BUDGET_USD", "AGENT_DAY_BUDGET_USD"])("is refused while %s is not an amount", (name) => {
  expect(configProblems({ ...CONFIG, vars: { [name]: "$5" } })).toEqual([
    `${name} is not an amount. Write one like 20.00, or leave it out.`,
  ]);
  expect(configProblems({ ...CONFIG, vars: { [name]: "20.00" } })).toEqual([]);
});
