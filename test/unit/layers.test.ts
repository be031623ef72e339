/** The tree's shape, read off the sources: who imports whom, sizes, names, and what SQL may not say. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Lines of a source file at most, and of a test file. */
const MAX_SOURCE_LINES = 200;
const MAX_TEST_LINES = 300;

/** Files beside each other at most: more want rooms with names. */
const MAX_FILES_OF_A_FOLDER = 20;

/**
 * What each room may import: rooms and files of src, packages, and `type ` before what may be named in types only.
 * `env.ts` names what the objects answer to, and no object, so nothing that imports it reaches them.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: ["contract", "zod"],
  objects: ["objects", "contract", "db/deletion/open-deletion.ts"],
  db: ["db", "contract", "migrations", "drizzle-orm", "zod"],
  auth: [
    ...["auth", "contract", "db/db.ts", "db/deletion/open-deletion.ts", "db/deletion/deletion-request.ts"],
    ...["type env.ts", "settings.ts", "zod", "drizzle-orm", "better-auth"],
  ],
  model: [
    "model",
    "contract",
    "type env.ts",
    "settings.ts",
    "zod",
    "big.js",
    "@anthropic-ai/sdk",
    "eventsource-parser",
  ],
  workspace: [
    ...["workspace", "contract", "objects", "type env.ts", "zod", "cloudflare:workers"],
    ...["@cloudflare/shell", "just-bash/browser", "re2js", "type db/deletion/open-deletion.ts"],
  ],
  harness: [
    ...["harness", "contract", "model", "type actions/define-action.ts", "zod", "diff"],
    // The seam of the workspace: its interface and refusals, the rule of paths, and the cut of long outputs.
    ...["workspace/workspace.ts", "workspace/resolve-path.ts", "workspace/cut-middle.ts", "workspace/file-state.ts"],
    // An agent on a person's machine is reached as its workspace is.
    ...["workspace/host/host-post.ts", "workspace/host/host-answer.ts"],
  ],
  search: ["search", "contract", "objects", "type db/deletion/open-deletion.ts", "type env.ts", "cloudflare:workers"],
  // The object of a key, its sources and rules; whoever asks for prices gets them through `prices.ts`.
  quotes: [
    ...["quotes", "contract", "objects", "db", "type env.ts", "settings.ts", "zod", "cloudflare:workers", "big.js"],
    ...["auth/allowed-emails.ts", "hono/utils/encode"],
  ],
  actions: ["actions", "contract", "db", "quotes/rules", "type quotes/prices.ts", "zod", "big.js", "hono/utils/encode"],
  undo: ["undo", "contract", "objects", "db", "actions", "workspace", "harness/tools", "zod"],
  session: [
    ...["session", "contract", "objects", "type harness/stored-conversation.ts", "type harness/turn.ts"],
    ...["type env.ts", "zod", "cloudflare:workers"],
    // It tells the lists which runs were replaced, until they know; and asks which log-ins may have commands run by a rule.
    ...["db/db.ts", "db/branches/run-marks.ts", "db/logins.ts"],
  ],
  run: [
    ...["run", "contract", "objects", "harness", "model", "db", "actions/registry.ts", "type actions/define-action.ts"],
    ...["type session", "session/report.ts", "type env.ts", "settings.ts", "cloudflare:workers", "notice/tell.ts"],
    ...["workspace/durable/durable-workspace.ts", "workspace/host/host-workspace.ts", "workspace/host/host-post.ts"],
    ...["workspace/workspace.ts", "quotes/prices.ts", "quotes/find-access.ts", "undo", "search/search-rpc.ts", "zod"],
  ],
  thread: [
    ...["thread", "contract", "objects", "db", "model", "run", "type env.ts", "zod"],
    // A summary by hand is no run: it asks the model itself, under a place in the session's queue.
    ...["harness/turn.ts", "session/session-wire.ts", "harness/registry.ts", "search/search-rpc.ts"],
  ],
  turn: [
    ...["turn", "contract", "objects", "db", "thread", "model", "run"],
    ...["type env.ts", "settings.ts", "harness/registry.ts"],
  ],
  notice: [
    ...["notice", "contract", "db", "auth/allowed-emails.ts", "auth/auth-secret.ts", "auth/count-attempts.ts"],
    ...["auth/send-mail.ts", "settings.ts", "type env.ts", "zod", "p-limit", "@block65/webcrypto-web-push"],
    // Targets are compared exactly, with prices that may be told.
    ...["actions/stock-figures.ts", "quotes/rules"],
  ],
  // Starts turns for people who are not there.
  schedule: [
    ...["schedule", "contract", "db", "thread/true-statuses.ts", "turn/start-turn.ts", "auth/allowed-emails.ts"],
    ...["settings.ts", "type env.ts", "notice/tell.ts"],
  ],
  account: [
    ...["account", "contract", "objects", "auth", "db", "run/stream/event-response.ts", "turn/model-choice.ts"],
    ...["schedule/start-due.ts", "notice/send-due.ts", "notice/tell-target-hits.ts", "thread/delete-thread.ts"],
    ...["quotes/fx/refresh-rates.ts", "quotes/wake-targets.ts", "run/host/purge-session.ts", "thread/drop-branch.ts"],
    ...["workspace/durable/durable-workspace.ts", "type session", "search/search-rpc.ts", "type env.ts", "zod"],
  ],
  http: [
    ...["http", "contract", "objects", "account", "auth", "actions", "thread", "turn", "run", "type env.ts"],
    ...["db/db.ts", "db/logins.ts", "db/runs.ts", "db/notices/recipients.ts", "notice"],
    ...["db/prices/person-settings.ts", "quotes/prices.ts", "quotes/owner-key.ts"],
    ...["db/threads.ts", "settings.ts", "package.json", "zod", "hono", "@hono/zod-validator"],
  ],
  process: ["process", "node:"],
  "workspace-server": ["workspace-server", "process", "contract", "workspace", "zod", "p-limit", "node:"],
  "harness-host": [
    ...["harness-host", "workspace-server", "process", "contract", "workspace", "zod", "node:"],
    // Its protocol, and the diff that a person is shown, as for our own tools.
    ...["harness/agent-sdk/host-wire.ts", "harness/tools/file-diff.ts", "harness/tools/found-file.ts"],
  ],
  cli: [
    ...["cli", "process", "workspace-server", "harness-host", "zod", "node:", "esbuild", "wrangler", "smol-toml"],
    ...["contract", "model/credential.ts", "model/named-models.ts", "model/budgets.ts", "model/token-prices.ts"],
    ...["db/pico-usd.ts", "db/deletion/deletion-request.ts", "auth/allowed-emails.ts", "settings.ts"],
    // The clock says when the demo's markets are open.
    ...["quotes/rules/market-clock.ts", "workspace/durable/left-out-commands.ts"],
  ],
  // The app takes types from the contract, and values from those of its files that do without zod (26 KB).
  ui: [
    ...["ui", "type contract", "contract/action-path.ts", "contract/app-paths.ts", "contract/fold-text.ts"],
    ...["contract/parse-json.ts", "contract/plain-text.ts", "contract/schedules/schedule-words.ts", "contract/day.ts"],
    ...["contract/prices/attributions.ts", "contract/prices/example-list.ts", "contract/prices/example-tag.ts"],
    ...["contract/prices/symbol-suffixes.ts", "contract/schedules/zone-time.ts", "contract/screen/stock-path.ts"],
    ...["contract/keyed-mutex.ts", "contract/screen/list-order.ts", "contract/stocks/canonical-decimal.ts"],
    ...["contract/stocks/currency-codes.ts", "contract/stocks/major-currency.ts", "contract/stocks/symbol-shape.ts"],
    ...["contract/stocks/stock-fields.ts", "contract/stocks/stock-field-keys.ts", "contract/stocks/stock-sorts.ts"],
    ...["contract/stocks/write-title.ts", "preact", "preact-iso", "@tanstack/preact-query", "@tabler/icons-preact"],
    ...["marked", "papaparse", "decode-named-character-reference", "eventsource-parser", "big.js"],
  ],
  "env.ts": [
    ...["type search/search-rpc.ts", "type run/run-rpc.ts", "type session/session-wire.ts"],
    ...["type workspace/durable/workspace-rpc.ts", "type quotes/object/quotes-rpc.ts"],
  ],
  "settings.ts": ["zod"],
  "sql.d.ts": [],
  "worker.ts": [
    ...["account/run-cron.ts", "type env.ts", "http/app.ts", "http/caller.ts", "run/run-object.ts"],
    ...["session/session-object.ts", "workspace/durable/workspace-object.ts", "quotes/quotes-object.ts"],
    "search/search-object.ts",
  ],
};

/** The rooms of the app, from top to bottom: each imports itself and what comes after it. */
const UI_ROOMS = ["app", "agent", "stocks", "account", "navigation", "parts", "api", "state", "format"];

type Source = { readonly path: string; readonly text: string };

const readTree = (folder: string): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".wrangler") && !path.includes("node_modules"))
    .map((path) => ({ path, text: readFileSync(join(ROOT, folder, path), "utf8") }));

const sources = readTree("src");

/** An import or re-export as it is written. `target` is a path below src, of the repository, or a package. */
type Import = { readonly from: string; readonly target: string; readonly isTypeOnly: boolean };

const STATIC_IMPORT = /^(import|export)(?<clause>\s[^;"']*?from\s*|\s*)"(?<specifier>[^"]+)"/gm;
const DYNAMIC_IMPORT = /\bimport\("(?<specifier>[^"]+)"\)/g;

/** Whether nothing of it is left when the types are stripped. */
const isTypeClause = (clause: string): boolean => {
  const names =
    /\{(?<names>[^}]*)\}/
      .exec(clause)
      ?.groups?.names?.split(",")
      .map((name) => name.trim()) ?? [];
  const given = names.filter((name) => name !== "");
  return /^\s+type\b/.test(clause) || (given.length > 0 && given.every((name) => name.startsWith("type ")));
};

const targetOf = (from: string, specifier: string): string =>
  specifier.startsWith(".") ? posix.join("src", posix.dirname(from), specifier).replace(/^src\//, "") : specifier;

const imports: readonly Import[] = sources.flatMap(({ path, text }) =>
  [...text.matchAll(STATIC_IMPORT), ...text.matchAll(DYNAMIC_IMPORT)].map(({ groups }) => ({
    from: path,
    target: targetOf(path, groups?.specifier ?? ""),
    isTypeOnly: isTypeClause(groups?.clause ?? ""),
  })),
);

const ownerOf = (path: string): string => path.split("/", 1)[0] ?? path;

const isBelow = (target: string, allowed: string): boolean =>
  target === allowed || target.startsWith(allowed.endsWith(":") ? allowed : `${allowed}/`);

const isAllowed = ({ target, isTypeOnly }: Import, allowed: readonly string[]): boolean =>
  allowed.some((rule) =>
    rule.startsWith("type ") ? isTypeOnly && isBelow(target, rule.slice(5)) : isBelow(target, rule),
  );

const written = ({ from, target }: Import): string => `${from} imports ${target}`;

const importersOf = (target: string): string[] =>
  [...new Set(imports.filter((one) => isBelow(one.target, target)).map((one) => one.from))].sort();

const isOfAdapter = (path: string): boolean => path.startsWith("harness/anthropic/");

const linesOf = ({ text }: Source): number => text.split("\n").length - 1;

const longerThan = (files: readonly Source[], max: number): string[] =>
  files.filter((file) => linesOf(file) > max).map((file) => `${file.path}: ${linesOf(file)} lines`);

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

describe("who imports whom", () => {
  it("is said of every folder and file of src", () => {
    const owners = new Set(sources.map(({ path }) => ownerOf(path)));
    expect([...owners].filter((owner) => MAY_IMPORT[owner] === undefined)).toEqual([]);
  });

  it.each(Object.entries(MAY_IMPORT))("holds for %s", (owner, allowed) => {
    const own = imports.filter(({ from }) => ownerOf(from) === owner);
    expect(own.filter((one) => !isAllowed(one, allowed)).map(written)).toEqual([]);
  });

  it("leaves the Durable Object runtime to the objects and the entry", () => {
    const allowed = [
      ...["run/run-object.ts", "session/session-object.ts", "workspace/durable/workspace-object.ts", "worker.ts"],
      ...["quotes/quotes-object.ts", "session/stored-session.ts", "search/search-object.ts"],
      "workspace/durable/keeping-object.ts",
    ];
    expect(importersOf("cloudflare:workers").filter((file) => !allowed.includes(file))).toEqual([]);
  });

  it("leaves queries to db/ and sign-in", () => {
    expect(importersOf("drizzle-orm").filter((file) => !/^(db|auth)\//.test(file))).toEqual([]);
  });

  it("goes in no circle, types included", () => {
    const targets = Map.groupBy(imports, ({ from }) => from);
    const next = (path: string) => (targets.get(path) ?? []).map(({ target }) => target);
    const reached = (from: string, found = new Set<string>()): Set<string> => {
      for (const path of next(from).filter((path) => !found.has(path))) reached(path, found.add(path));
      return found;
    };
    expect(sources.map(({ path }) => path).filter((path) => reached(path).has(path))).toEqual([]);
  });

  it("goes down in the app, never up", () => {
    const roomOf = (path: string) => UI_ROOMS.indexOf(/^ui\/([^/]+)\//.exec(path)?.[1] ?? "");
    const inside = imports.filter(({ from, target }) => roomOf(from) >= 0 && target.startsWith("ui/"));
    expect(inside.filter(({ from, target }) => roomOf(target) < roomOf(from)).map(written)).toEqual([]);
    expect(inside.length).toBeGreaterThan(100);
  });

  it("names a harness in the registry alone", () => {
    const naming = imports.filter(({ from, target }) => isOfAdapter(target) && !isOfAdapter(from));
    expect(naming.map(written)).toEqual(["harness/registry.ts imports harness/anthropic/anthropic-harness.ts"]);
  });

  it("keeps the messages of the model out of whoever drives and stores a turn", () => {
    const readers = importersOf("model/messages.ts");
    expect(readers.filter((path) => /^(run|session|thread|turn|account)\//.test(path))).toEqual([]);
    expect(readers.length).toBeGreaterThan(10);
  });

  it("keeps HTTP, D1 and objects out of the harness", () => {
    const foreign = imports.filter(({ target }) => /^(hono|db|run|session|turn|thread|http|cloudflare:)/.test(target));
    expect(foreign.filter(({ from }) => ownerOf(from) === "harness").map(written)).toEqual([]);
  });

  it("reads the imports it is about", () => {
    expect(importersOf("hono")).toContain("http/app.ts");
    expect(importersOf("run/run-object.ts")).toEqual(["worker.ts"]);
  });
});

describe("a file of src", () => {
  it("has at most 200 lines", () => {
    expect(longerThan(sources, MAX_SOURCE_LINES)).toEqual([]);
  });

  it("has at most 20 beside it", () => {
    const folders = Map.groupBy(sources, ({ path }) => posix.dirname(path));
    const crowded = [...folders].filter(([, files]) => files.length > MAX_FILES_OF_A_FOLDER);
    expect(crowded.map(([folder, { length }]) => `${folder}: ${length} files`)).toEqual([]);
  });

  it("has a name that says more than utils, helpers, common, types or index", () => {
    const drawer = /^(utils|helpers|common|misc|types|index)\.tsx?$/;
    expect(sources.map(({ path }) => path).filter((path) => drawer.test(basename(path)))).toEqual([]);
  });

  it("reads JSON as unknown, so that a schema has to look at it", () => {
    const bare = sources.filter(({ text }) => withoutComments(text).includes("JSON.parse("));
    expect(bare.map(({ path }) => path)).toEqual(["contract/parse-json.ts"]);
  });

  it("logs through one logger", () => {
    const logging = sources.filter(({ text }) => /console\.\w+\(JSON/.test(withoutComments(text)));
    expect(logging.map(({ path }) => path)).toEqual([]);
  });

  it("never searches by LIKE, whose patterns end at 50 bytes in D1", () => {
    const usesLike = /\bLIKE\b|\b(like|ilike|notLike|notIlike)\(/;
    expect(sources.filter(({ text }) => usesLike.test(withoutComments(text))).map(({ path }) => path)).toEqual([]);
  });
});

it("a test file has at most 300 lines", () => {
  expect(longerThan(readTree("test"), MAX_TEST_LINES)).toEqual([]);
});
