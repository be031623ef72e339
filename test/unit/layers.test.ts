/** The tree's shape, read off the sources: who imports whom (DESIGN §9), sizes, names, and what SQL may not say. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Lines of a source file at most, and of a test file (STYLE). */
const MAX_SOURCE_LINES = 200;
const MAX_TEST_LINES = 300;

/**
 * What each folder may import: folders and files of src, packages, and `type ` before what may be named in types only.
 * `env.ts` names the objects in types alone, so nothing that imports it reaches them.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: ["contract", "zod"],
  db: ["db", "contract", "migrations", "drizzle-orm"],
  auth: ["auth", "contract", "db/db.ts", "env.ts", "zod", "drizzle-orm", "better-auth"],
  model: ["model", "contract", "env.ts", "zod", "big.js", "@anthropic-ai/sdk", "eventsource-parser"],
  harness: [
    ...["harness", "contract", "model", "type actions/define-action.ts", "zod", "diff"],
    // The seam of the workspace: its interface and refusals, the rule of paths, and the cut of long outputs.
    ...["workspace/workspace.ts", "workspace/resolve-path.ts", "workspace/cut-middle.ts"],
    ...["workspace/file-state.ts", "workspace/fold-name.ts"],
  ],
  actions: ["actions", "contract", "db", "zod", "big.js", "hono/utils/encode"],
  session: ["session", "contract", "type harness", "type env.ts", "zod", "cloudflare:workers"],
  run: [
    ...["run", "contract", "harness", "model", "db", "actions/registry.ts", "type actions/define-action.ts"],
    ...["session/alarm-clock.ts", "session/tombstone.ts", "session/object-schema.ts", "type session"],
    ...["env.ts", "zod", "cloudflare:workers"],
    ...["workspace/durable-workspace.ts", "workspace/host-workspace.ts", "type workspace/workspace.ts"],
  ],
  workspace: [
    ...["workspace", "contract", "type env.ts", "zod", "cloudflare:workers"],
    ...["@cloudflare/shell", "just-bash/browser", "re2js"],
  ],
  turn: [
    ...["turn", "contract", "db", "harness/anthropic-harness.ts", "model", "run", "env.ts"],
    // A summary by hand is no run: it asks the model itself, under a place in the session's queue.
    ...["harness/compact-by-hand.ts", "harness/compaction.ts", "session/reservation.ts"],
  ],
  http: [
    ...[
      "http",
      "contract",
      "account",
      "auth",
      "actions",
      "turn",
      "run",
      "harness/anthropic-harness.ts",
      "env.ts",
      "package.json",
    ],
    ...[
      "db/db.ts",
      "db/db-session.ts",
      "db/ping.ts",
      "db/logins.ts",
      "db/runs.ts",
      "db/threads.ts",
      "zod",
      "hono",
      "@hono/zod-validator",
    ],
  ],
  account: [
    ...[
      "account",
      "contract",
      "auth",
      "db",
      "run/reach.ts",
      "run/event-response.ts",
      "turn/refresh-models.ts",
      "env.ts",
    ],
    ...["workspace/durable-workspace.ts", "type session", "zod"],
  ],
  host: [
    ...[
      "host",
      "contract/front-header.ts",
      "model/credential.ts",
      "model/default-model.ts",
      "model/run-budget.ts",
      "model/day-budget.ts",
      "contract/day.ts",
      "contract/owner-hash.ts",
      "db/pico-usd.ts",
      "auth/allowed-emails.ts",
      "workspace/workspace.ts",
      "workspace/host-wire.ts",
      "workspace/resolve-path.ts",
    ],
    ...[
      "workspace/answer.ts",
      "workspace/file-state.ts",
      "workspace/fold-name.ts",
      "workspace/path-turns.ts",
      "workspace/guarded-path.ts",
      "workspace/ignore-rules.ts",
      "workspace/match-lines.ts",
      "workspace/walk-tree.ts",
    ],
    ...["zod", "node:", "esbuild", "wrangler"],
  ],
  // The app takes types from the contract, and values from those of its files that do without zod (26 KB).
  ui: [
    ...[
      "ui",
      "type contract",
      "contract/action-path.ts",
      "contract/canonical-decimal.ts",
      "contract/currency-codes.ts",
    ],
    ...["contract/major-currency.ts", "contract/fold-text.ts", "contract/cut-text.ts", "contract/symbol-shape.ts"],
    ...["preact", "preact-iso", "@tanstack/preact-query", "@tabler/icons-preact", "marked", "papaparse"],
    ...["eventsource-parser", "big.js"],
  ],
  "env.ts": ["type run/run-object.ts", "type session/session-object.ts", "type workspace/workspace-object.ts", "zod"],
  "sql.d.ts": [],
  "worker.ts": [
    "account/run-scheduled.ts",
    "type env.ts",
    "http/app.ts",
    "http/caller.ts",
    "run/run-object.ts",
    "session/session-object.ts",
    "workspace/workspace-object.ts",
  ],
};

type Source = { readonly path: string; readonly text: string };

const readTree = (folder: string): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".wrangler"))
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
    const allowed = ["run/run-object.ts", "session/session-object.ts", "workspace/workspace-object.ts", "worker.ts"];
    expect(importersOf("cloudflare:workers").filter((file) => !allowed.includes(file))).toEqual([]);
  });

  it("leaves queries to db/ and sign-in", () => {
    expect(importersOf("drizzle-orm").filter((file) => !/^(db|auth)\//.test(file))).toEqual([]);
  });

  it("keeps HTTP, D1 and objects out of the harness", () => {
    const foreign = imports.filter(({ target }) => /^(hono|db|run|session|turn|http|cloudflare:)/.test(target));
    expect(foreign.filter(({ from }) => ownerOf(from) === "harness").map(written)).toEqual([]);
  });

  it("reads the imports it is about", () => {
    expect(importersOf("hono")).toContain("http/app.ts");
    expect(importersOf("run/run-object.ts")).toEqual(["env.ts", "http/run-routes.ts", "worker.ts"]);
  });
});

describe("a file of src", () => {
  it("has at most 200 lines", () => {
    expect(longerThan(sources, MAX_SOURCE_LINES)).toEqual([]);
  });

  it("begins with a comment that says what it is for", () => {
    expect(sources.filter(({ text }) => !/^\/[*/]/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("has a name that says more than utils, helpers, common, types or index", () => {
    const drawer = /^(utils|helpers|common|misc|types|index)\.tsx?$/;
    expect(sources.map(({ path }) => path).filter((path) => drawer.test(basename(path)))).toEqual([]);
  });

  it("never searches by LIKE, whose patterns end at 50 bytes in D1", () => {
    const usesLike = /\bLIKE\b|\b(like|ilike|notLike|notIlike)\(/;
    expect(sources.filter(({ text }) => usesLike.test(withoutComments(text))).map(({ path }) => path)).toEqual([]);
  });
});

it("a test file has at most 300 lines", () => {
  expect(longerThan(readTree("test"), MAX_TEST_LINES)).toEqual([]);
});
