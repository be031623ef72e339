/** An account's export and deletion hold everything there is: what a migration or a binding adds is missed here first. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { SETTLE_MS } from "../../../src/account/delete-account.ts";
import { runMinute } from "../../../src/account/run-cron.ts";
import wrangler from "../../../wrangler.toml?raw";
import { aFullAccount, rowsOf } from "../../support/workerd/a-full-account.ts";

/** Where the export has what a table says of a person, or why it has not. */
const EXPORTED = {
  stocks: "stocks",
  stock_events: "stockEvents",
  navigation: "screen",
  threads: "threads",
  runs: "runs",
  run_marks: "runMarks",
  undone_runs: "undoneRuns",
  harness_sessions: "sessions",
  schedules: "schedules",
  notices: "notices",
  push_devices: "pushDevices",
  notice_settings: "noticeSettings",
  settings: "settings",
  users: "account",
  logins: "logins",
  members: "organizations",
  organizations: "organizations",
  invitations: "invitations",
} as const;

/** Tables that say nothing of a person that the export does not say, and why. */
const NOT_EXPORTED = {
  run_costs: "each run has its cost",
  idempotency_keys: "answers that are in the lists themselves",
  day_changes: "a counter of a day, of changes that are in the history",
  thread_deletions: "ids of sessions of a chat that is being deleted",
  account_deletions: "there is no account then",
  login_confirmations: "a log-in's code, hashed",
  sign_in_codes: "codes, hashed",
  sign_in_attempts: "counters by keyed hashes",
  host_deletions: "random ids of sessions that are gone, of nobody",
  day_costs: "counters by hashes, which outlive the account",
  model_facts: "the provider's, of nobody",
  fx: "rates, of nobody",
  instruments: "listings of a source: the stocks name theirs",
  quotes: "the source's prices: the stocks have theirs",
  closes: "the source's",
  splits: "the source's: the stocks have what waits for an answer",
} as const;

/** What has storage beside D1, and the part of the export with what is in it. Each has a step of the deletion. */
const OBJECTS = { RUNS: "runs", SESSIONS: "sessions", WORKSPACES: "files" } as const;

/** What has storage that an export leaves out, and why. It has a step of the deletion all the same. */
const SILENT_OBJECTS = {
  QUOTES: "when a source is asked next",
  SEARCH: "words of prompts and answers: its runs and sessions have them",
} as const;

const Names = z.array(z.object({ name: z.string() }));

const tables = async () => {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
       AND name <> 'd1_migrations'`,
  ).all();
  return Names.parse(results).map(({ name }) => name);
};

const columnsOf = async (table: string) =>
  Names.parse((await env.DB.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()).results).map(
    ({ name }) => name,
  );

/** Kinds of bindings, and names of objects, as wrangler.toml has them. */
const bindings = () => {
  const sections = [...wrangler.matchAll(/^\[\[([\w.]+)\]\]\n(?:name = "(\w+)")?/gm)].map(
    ([, kind = "", name = ""]) => ({ kind, name }),
  );
  const objects = sections.filter(({ kind }) => kind === "durable_objects.bindings").map(({ name }) => name);
  return { kinds: new Set(sections.map(({ kind }) => kind)), objects };
};

it("every table and every object is known to the export, or has a reason not to be", async () => {
  const known = { ...EXPORTED, ...NOT_EXPORTED };
  expect((await tables()).sort()).toEqual(Object.keys(known).sort());
  const { kinds, objects } = bindings();
  expect(objects.sort()).toEqual(Object.keys({ ...OBJECTS, ...SILENT_OBJECTS }).sort());
  // None of the others keeps anything of a person: a bucket, for example, would have to have a step of the deletion.
  expect([...kinds].sort()).toEqual([
    "d1_databases",
    "durable_objects.bindings",
    "migrations",
    "ratelimits",
    "rules",
    "send_email",
  ]);
});

it("a full account has something in every table that names an owner, an export with all of it, and nothing after its end", async () => {
  const { ask, email, request } = await aFullAccount();
  const owned: string[] = [];
  for (const table of await tables()) if ((await columnsOf(table)).includes("owner_email")) owned.push(table);
  const open = owned.filter((table) => table !== "account_deletions");
  // A run has a cost of its own only when it has a price, and this one's did not ask for a change of stocks.
  const before = Object.keys(await rowsOf(email));
  expect(open.filter((table) => !before.includes(table) && !["run_costs", "idempotency_keys"].includes(table))).toEqual(
    [],
  );
  const file: unknown = await (await request("/_framework/account/export")).json();
  const parts = [...Object.values(EXPORTED), ...Object.values(OBJECTS)];
  expect(parts.filter((part) => !hasSomething(Object(file)[part]))).toEqual(["invitations"]);
  await ask("DELETE", "/_framework/account", { email });
  await runMinute(env, Date.now() + SETTLE_MS);
  expect(await rowsOf(email)).toEqual({});
});

const hasSomething = (part: unknown): boolean =>
  Array.isArray(part) ? part.length > 0 : typeof part === "object" && part !== null;
